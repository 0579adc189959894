// Looks at the server again and again, one look at a time.

import { changesSince } from "./server.js";
import { receive, sections, setTrouble, version } from "./state.js";

const FAST = 350, SLOW = 1000, HIDDEN = 4000; // milliseconds between two looks

let timer = 0;
let isLooking = false;
let isAskedAgain = false;
let isAway = false; // the server, at the last look

export async function look() {
  if (isLooking) {
    isAskedAgain = true; // an answer that was overtaken would show what is past
    return;
  }
  isLooking = true;
  isAskedAgain = false;
  clearTimeout(timer);
  try {
    receive(await changesSince(version));
    if (isAway) setTrouble("");
    isAway = false;
  } catch (error) {
    isAway = true;
    setTrouble(error.message);
  }
  isLooking = false;
  timer = setTimeout(look, isAskedAgain ? 0 : pause());
}

function pause() {
  if (document.hidden) return HIDDEN;
  return sections.work && sections.work.doing ? FAST : SLOW;
}
