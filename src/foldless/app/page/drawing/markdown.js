// Markdown as elements: headings, lists, quotes, code, bold and italic. HTML in it stays text, and so do addresses.

import { make } from "./elements.js";

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;
const FENCE = /^ {0,3}(```+|~~~+)/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const INLINE = /\\([\\`*_[\]{}()#+\-.!<>])|(`+)(.+?)\2|\*\*(.+?)\*\*|__(.+?)__|\*([^*\s][^*]*)\*|\b_([^_]+)_\b|!?\[([^\]]*)\]\(([^)\s]*)[^)]*\)/;

// The blocks of a text, as plain data: { kind, level, lines }.
function blocksOf(text) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n"), blocks = [];
  let open = null; // the paragraph, list or quote that the next line may go on with
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at], fence = FENCE.exec(line), heading = HEADING.exec(line), item = ITEM.exec(line);
    if (fence) {
      const content = [];
      for (at += 1; at < lines.length && !lines[at].trimStart().startsWith(fence[1]); at += 1) content.push(lines[at]);
      blocks.push({ kind: "code", lines: content });
      open = null;
    } else if (!line.trim()) {
      if (open && open.kind !== "item") open = null;
    } else if (heading) {
      blocks.push({ kind: "heading", level: heading[1].length, lines: [heading[2]] });
      open = null;
    } else if (RULE.test(line)) {
      blocks.push({ kind: "rule", lines: [] });
      open = null;
    } else if (item) {
      open = { kind: "item", level: Math.min(4, Math.floor(item[1].replace(/\t/g, "    ").length / 2)), lines: [item[2]] };
      blocks.push(open);
    } else if (/^ {0,3}>/.test(line)) {
      if (!open || open.kind !== "quote") blocks.push((open = { kind: "quote", lines: [] }));
      open.lines.push(line.replace(/^ {0,3}> ?/, ""));
    } else if (open && (open.kind !== "item" || lines[at - 1].trim() || /^\s/.test(line))) {
      open.lines.push(line.trim());
    } else {
      blocks.push((open = { kind: "paragraph", lines: [line.trim()] }));
    }
  }
  return blocks;
}

export function markdownElements(text) {
  const elements = [];
  let list = null;
  for (const { kind, level, lines } of blocksOf(text)) {
    if (kind === "item") {
      if (!list) elements.push((list = make("ul", { class: "guide-list" })));
      list.append(make("li", { class: `level-${level}` }, ...inline(lines.join(" "))));
      continue;
    }
    list = null;
    if (kind === "heading") elements.push(make(`h${Math.min(6, level + 2)}`, {}, ...inline(lines[0])));
    else if (kind === "code") elements.push(make("pre", {}, lines.join("\n")));
    else if (kind === "rule") elements.push(make("hr", {}));
    else elements.push(make(kind === "quote" ? "blockquote" : "p", {}, ...inline(lines.join(" "))));
  }
  return elements;
}

function inline(text) {
  const parts = [];
  let left = text;
  for (let found = INLINE.exec(left); found; found = INLINE.exec(left)) {
    const [all, escaped, , code, strong, strongToo, em, emToo, label, address] = found;
    parts.push(left.slice(0, found.index));
    if (escaped !== undefined) parts.push(escaped);
    else if (code !== undefined) parts.push(make("code", {}, code.trim()));
    else if (label !== undefined) parts.push(...inline(label), address ? ` (${address})` : "");
    else if ((strong ?? strongToo) !== undefined) parts.push(make("strong", {}, ...inline(strong ?? strongToo)));
    else parts.push(make("em", {}, ...inline(em ?? emToo)));
    left = left.slice(found.index + all.length);
  }
  return [...parts, left];
}

// The line that a text has on each of these names: what follows it in a list item, or below it as a heading.
export function linesOn(names, text) {
  const wanted = new Map(names.map((name) => [name.trim().toLowerCase(), name])), found = new Map();
  const plain = (line) => make("p", {}, ...inline(line)).textContent.trim();
  const blocks = blocksOf(text);
  blocks.forEach(({ kind, lines }, at) => {
    const said = plain(lines.join(" "));
    const next = blocks[at + 1];
    if (kind === "heading") {
      const name = wanted.get(said.toLowerCase());
      if (name !== undefined && next && ["paragraph", "item", "quote"].includes(next.kind) && !found.has(name)) {
        found.set(name, plain(next.lines.join(" ")));
      }
    } else if (kind === "item") {
      const parts = /^(.+?)\s*(?::|–|—|\s-\s)\s*(.+)$/u.exec(said);
      const name = parts && wanted.get(parts[1].trim().toLowerCase());
      if (name !== undefined && name !== null && !found.has(name)) found.set(name, parts[2]);
    }
  });
  return found;
}
