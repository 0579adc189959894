// What is asked of the server: what has changed, and what a user orders.

export function changesSince(version) {
  return answerOf(`/state?since=${version}`, {});
}

// A page of the list of labels.
export function reviewPage(asked) {
  const known = Object.entries(asked).filter(([, value]) => value !== "");
  return answerOf(`/review?${new URLSearchParams(known)}`, {});
}

// Rows of the pool that contain words.
export function searchPage(words, offset) {
  return answerOf(`/search?${new URLSearchParams({ words, offset })}`, {});
}

export function agreementNow() {
  return answerOf("/agreement", {});
}

export function order(name, values) {
  return answerOf(`/do/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(values),
  });
}

async function answerOf(address, options) {
  let answer;
  try {
    answer = await fetch(address, { ...options, credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new Error("The server does not answer: start it again. Labels that were shown as saved are saved.");
  }
  if (answer.status === 401) {
    throw new Error("The server was started again: open the address that the terminal shows.");
  }
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(content.problem || `The server answers with ${answer.status}.`);
  return content;
}
