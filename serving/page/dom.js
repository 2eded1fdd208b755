/** Nodes of the page. What comes from outside is only ever put in as text. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node|string|number|null|undefined|false} Child  what is nothing is left out */

/**
 * Make an element of HTML.
 * @param {string} name
 * @param {Object<string, string|number|boolean>} [attributes] true: there without a value; false: not there
 * @param {...(Child|Child[])} children
 */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Make an element of SVG, as `el` does. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** @template {Element} T @param {T} node @returns {T} */
function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) node.setAttribute(name, value === true ? "" : `${value}`);
  }
  const there = children.flat(2).filter((child) => child || child === 0);
  node.append(...there.map((child) => (child instanceof Node ? child : `${child}`)));
  return node;
}

/** A part of the page with its heading. */
export function section(id, title, ...children) {
  const heading = el("h2", { id: `${id}-title` }, title);
  return el("section", { id, tabindex: -1, "aria-labelledby": heading.id }, heading, ...children);
}

// What scrolls must be reached with the keyboard, and what does not should not stop it.
const scrolling = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});

/** A wide thing, which scrolls sideways by itself where it must. */
export function wide(label, ...children) {
  const frame = el("div", { class: "wide", role: "group", "aria-label": label }, ...children);
  scrolling.observe(frame);
  return frame;
}

/** A table; its first column heads the rows. */
export function table(caption, heads, rows) {
  const line = ([head, ...cells]) =>
    el("tr", {}, el("th", { scope: "row" }, head), cells.map((cell) => el("td", {}, cell)));
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows.map(line)),
  );
}

/** Text that may be of any language and direction. */
export function outside(text, name = "bdi") {
  return el(name, name === "bdi" ? {} : { dir: "auto" }, text);
}

/** Say a number of things: 1 hop, 2 hops. */
export function count(number, one, several = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : several}`;
}

export function milliseconds(number) {
  return `${number < 10 ? number.toFixed(1) : number.toFixed(0)} ms`;
}

/** Pixels of a CSS rem: pictures grow with the reader's font size. */
export function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

const canvas = document.createElement("canvas").getContext("2d");

/** The width of a text in pixels. */
export function textWidth(text, pixels, weight = 400) {
  canvas.font = `${weight} ${pixels}px ${getComputedStyle(document.body).fontFamily}`;
  return canvas.measureText(text).width;
}

/** Cut a text into lines of at most `width` pixels, between words where that can be. */
export function wrapped(text, width, pixels, weight = 400) {
  const fits = (line) => textWidth(line, pixels, weight) <= width;
  const lines = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line && fits(`${line} ${word}`)) {
      line += ` ${word}`;
      continue;
    }
    if (line) lines.push(line);
    line = "";
    for (const char of word) {
      if (line && !fits(line + char)) {
        lines.push(line);
        line = "";
      }
      line += char;
    }
  }
  return line ? [...lines, line] : lines;
}
