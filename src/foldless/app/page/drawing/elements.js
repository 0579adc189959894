// Elements of the page and of pictures. All that comes from files is put in as text, never as HTML.

export function byId(id) {
  return document.getElementById(id);
}

export function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") element.className = value;
    else if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Text that is written from left to right or the other way, whatever stands around it.
export function bdi(text) {
  return make("bdi", {}, String(text));
}

// A text as it is compared: without case and accents, so that "Ecole" finds "école".
export function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

export function makeSvg(tag, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

export function fillList(list, sentences) {
  list.hidden = !sentences.length;
  list.replaceChildren(...sentences.map((sentence) => make("li", {}, bdi(sentence))));
}
