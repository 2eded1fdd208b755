/** The parse: as a picture, and as a table. */

import { el, outside, rem, section, svg, table, textWidth, wide } from "./dom.js";

const LONGEST = 32; // letters of a name that the picture shows
const HEADS = ["Word", "Tag", "Relation", "Of", "Note"];

/** The section of the parse; `explanation` is null where the question was not parsed. */
export function parse(explanation) {
  if (!explanation?.tree.length) return section("parse", "Parse", el("p", {}, "It was not parsed."));
  const { tree, bridge } = explanation;
  const isBridge = (i) => bridge[0] <= i && i < bridge[1];
  const said = bridge[1] ? "The words of the first entity to be found are on a coloured ground." : "";
  return section(
    "parse",
    "Parse",
    el("p", { class: "hint" }, "Each arc leads from a word to one that depends on it. ", said),
    wide("Picture of the parse", picture(tree, bridge)),
    el(
      "details",
      {},
      el("summary", {}, "The parse as a table"),
      wide("Table of the parse", table("Words of the question", HEADS, tree.map(row))),
    ),
  );

  function row(word, i) {
    const notes = [word.name && "name", isBridge(i) && "bridge"].filter(Boolean).join(", ");
    return [outside(word.text), word.tag, word.label, word.head === i ? "" : outside(tree[word.head].text), notes];
  }
}

/** Draw the tree: words in a row, arcs above them, the head's end without an arrow. */
function picture(tree, [start, end]) {
  const unit = rem();
  const [size, small, level, step] = [unit, 0.78 * unit, 1.7 * unit, 0.45 * unit];
  const arcs = arcsOf(tree);
  const shown = tree.map((word) => short(word.text));
  const isBridge = (i) => start <= i && i < end;
  const halves = tree.map((word, i) => halfWidth(shown[i], word, i, { arcs, size, small, step, bold: isBridge(i) }));
  const centres = centresOf(halves, arcs, small, step);
  const width = centres.at(-1) + halves.at(-1) + unit;
  const base = (Math.max(0, ...arcs.map((arc) => arc.level)) + 1) * level + 0.6 * unit;
  const root = svg("svg", {
    class: "tree",
    width,
    height: base + 3.6 * unit,
    role: "img",
    "aria-label": "Tree of dependencies; the table after it says the same.",
  });
  if (end > start) {
    const left = centres[start] - halves[start] + 0.2 * unit;
    const right = centres[end - 1] + halves[end - 1] - 0.2 * unit;
    const corner = { x: left, y: base + 0.2 * unit, rx: 0.4 * unit };
    root.append(svg("rect", { class: "ground", ...corner, width: right - left, height: 3 * unit }));
  }
  root.append(...arcs.map((arc) => drawn(arc)));
  tree.forEach((word, i) => {
    if (word.head === i) root.append(...rootOf(i));
    const written = (text, y, more) => svg("text", { x: centres[i], y, "text-anchor": "middle", ...more }, text);
    const text = written(shown[i], base + 1.5 * unit, { "font-size": size, class: isBridge(i) && "bridge" });
    if (shown[i] !== word.text) text.append(svg("title", {}, word.text));
    root.append(text, written(word.tag, base + 2.75 * unit, { "font-size": small, class: "tag" }));
  });
  return root;

  function drawn({ head, child, level: high, port, label }) {
    const y = base - high * level;
    const [from, to] = [centres[head] + port * step, centres[child]];
    const turn = Math.min(0.5 * unit, Math.abs(to - from) / 2) * Math.sign(to - from);
    const round = Math.abs(turn);
    const up = `M${from},${base}V${y + round}Q${from},${y} ${from + turn},${y}`;
    const down = `H${to - turn}Q${to},${y} ${to},${y + round}V${base}`;
    return svg("g", {}, svg("path", { class: "arc", d: up + down }), arrow(to), named(label, (from + to) / 2, y));
  }

  function rootOf(i) {
    const [x, y] = [centres[i], 0.6 * unit];
    return [svg("path", { class: "arc", d: `M${x},${y}V${base}` }), arrow(x), named(tree[i].label, x, y)];
  }

  function arrow(x) {
    const w = 0.25 * unit;
    return svg("path", { class: "head", d: `M${x - w},${base - 1.6 * w}H${x + w}L${x},${base + 0.4 * w}Z` });
  }

  function named(label, x, y) {
    const place = { x, y: y + 0.35 * small, "text-anchor": "middle" };
    return svg("text", { class: "label", ...place, "font-size": small }, label);
  }
}

/** The arcs, each with its level above the words and the place where it leaves its head, counted from the middle. */
function arcsOf(tree) {
  const arcs = tree
    .map(({ head, label }, child) => ({ child, head, label, low: Math.min(child, head), high: Math.max(child, head) }))
    .filter((arc) => arc.low !== arc.high)
    .sort((a, b) => a.high - a.low - (b.high - b.low) || a.low - b.low);
  const tops = new Array(tree.length).fill(0); // between word i and the next, and so on
  for (const arc of arcs) {
    arc.level = 1 + Math.max(...tops.slice(arc.low, arc.high));
    tops.fill(arc.level, arc.low, arc.high);
  }
  for (let i = arcs.length - 1, used = new Map(); i >= 0; i--) {
    // The longest arc leaves nearest to the middle: those within it then do not cross it.
    const side = Math.sign(arcs[i].child - arcs[i].head);
    const key = `${arcs[i].head} ${side}`;
    used.set(key, (used.get(key) ?? 0) + 1);
    arcs[i].port = used.get(key) * side;
  }
  return arcs;
}

/** Half of the room that a word takes, with a margin. */
function halfWidth(text, word, i, { arcs, size, small, step, bold }) {
  const ports = Math.max(0, ...arcs.filter((arc) => arc.head === i).map((arc) => Math.abs(arc.port)));
  const wide = Math.max(textWidth(text, size, bold ? 600 : 400), textWidth(word.tag, small), 2 * ports * step);
  return wide / 2 + 0.5 * size;
}

/** The middles of the words, as near to each other as the words and the labels of the arcs allow. */
function centresOf(halves, arcs, small, step) {
  const centres = [];
  halves.forEach((half, i) => {
    let at = i ? centres[i - 1] + halves[i - 1] + half : half;
    for (const arc of arcs.filter((each) => each.high === i)) {
      const room = textWidth(arc.label, small) + 2 * small + Math.abs(arc.port) * step;
      at = Math.max(at, centres[arc.low] + room);
    }
    centres.push(at);
  });
  return centres;
}

function short(text) {
  const letters = Array.from(text);
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : text;
}
