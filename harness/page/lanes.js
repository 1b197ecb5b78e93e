// An execution as lanes: a column for each thread or task, time going down, arrows between steps. Only what is in view is in
// the document, so that thousands of steps scroll as easily as ten.
"use strict";

const kLine = 16;       // height of a line of text, as in page.css
const kBoxPadding = 3;  // above and below the lines of a box
const kGap = 4;         // between rows
const kReason = 17;     // for the words at a switch
const kMostLines = 6;
const kRail = 15;       // from a lane's left edge to the line that its steps are on
const kNarrowest = 118;
const kSvg = "http://www.w3.org/2000/svg";

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") element.textContent = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
function draw(tag, attributes = {}) {
  const element = document.createElementNS(kSvg, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// Width in characters of a monospaced font; those of East Asia and pictures take two.
function cells(text) {
  let count = 0;
  for (const character of text) count += character.codePointAt(0) >= 0x1100 ? 2 : 1;
  return count;
}

// Breaks at spaces where it can.
function wrapped(text, width) {
  const lines = [];
  for (const paragraph of text.split(/[\r\n\u2028\u2029]+/)) {
    let line = "";
    let used = 0;
    for (let word of paragraph.split(/(?<= )/)) {
      if (used + cells(word.trimEnd()) > width && line !== "") {
        lines.push(line.trimEnd());
        line = "";
        used = 0;
        if (lines.length > kMostLines) break;
      }
      while (cells(word) > width && lines.length <= kMostLines) {
        const characters = [...word];
        let taken = 0;
        for (let size = 0; taken < characters.length; ++taken) {
          size += cells(characters[taken]);
          if (size > width && taken > 0) break;
        }
        if (taken === characters.length) break;
        lines.push(characters.slice(0, taken).join(""));
        word = characters.slice(taken).join("");
      }
      line += word;
      used += cells(word);
    }
    lines.push(line.trimEnd());
  }
  if (lines.length > kMostLines) {
    lines.length = kMostLines;
    lines[kMostLines - 1] = lines[kMostLines - 1].slice(0, Math.max(0, width - 1)) + "\u2026";
  }
  return lines;
}

// Widths of lanes that do not all fit with what they need. A row has text in one lane only, so it may lie over the lanes to the right
// of its own: of the room from a lane to the right edge its texts need to fit, the lane itself only its name and its rail.
function squeezed(needed, names, room) {
  const widths = new Array(needed.length);
  let spare = -1;
  for (const narrowest of [kNarrowest, kNarrowest * 0.65]) {  // in the second the names may not fit either
    let right = 0;  // what lies to the right of the lane
    for (let i = needed.length - 1; i >= 0; --i) {
      widths[i] = Math.max(Math.min(names[i], narrowest), Math.min(needed[i], room * 0.45) - right);
      right += widths[i];
    }
    spare = room - right;
    if (spare >= 0) break;
  }
  for (let i = 0; i < needed.length && spare > 0; ++i) {  // evenly to those that lack something
    const share = spare / (needed.length - i);
    const more = Math.min(share, Math.max(0, needed[i] - widths[i]));
    widths[i] += more;
    spare -= more;
  }
  return widths;
}

// A sign on the rail for what a step is: not by colour alone.
function step_sign(row, x, y) {
  if (row.kind === "failure") return draw("path", { class: "sign failure", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` });
  if (row.reads && row.writes) return draw("path", { class: "sign full", d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z` });
  if (row.writes) return draw("rect", { class: "sign full", x: x - 4.5, y: y - 4.5, width: 9, height: 9 });
  if (row.reads) return draw("circle", { class: "sign open", cx: x, cy: y, r: 4.5 });
  if (row.kind === "note") return draw("circle", { class: "sign note", cx: x, cy: y, r: 2 });
  return draw("circle", { class: "sign full", cx: x, cy: y, r: 3.5 });
}

class Lanes {
  // `on`: {choose(row), hover(row or -1, element), focus()}
  constructor(execution, id, on) {
    this.execution = execution;
    this.id = id;
    this.on = on;
    this.current = 0;
    this.active = true;  // is the one that is stepped through
    this.hovered = -1;
    this.shown = new Set(["switch", "reads", "wakes", "missed"]);
    this.elements = new Map();
    this.drawn = "";
    this.svg = draw("svg", { class: "links", "aria-hidden": "true" });
    this.heads = make("div", { class: "heads", "aria-hidden": "true" });
    this.body = make("div", { class: "rows", role: "presentation" }, this.svg);
    this.list = make("div", { class: "lanes", role: "listbox", tabindex: "0", id, "aria-label": "Steps of " + execution.title }, this.heads, this.body);
    this.list.addEventListener("scroll", () => this.refresh_soon());
    this.list.addEventListener("focus", () => on.focus());
    this.body.addEventListener("click", (event) => {
      const row = this.row_of(event.target);
      if (row >= 0) on.choose(row);
    });
    this.body.addEventListener("mouseover", (event) => on.hover(this.row_of(event.target), event.target.closest(".row")));
    this.body.addEventListener("mouseleave", () => on.hover(-1));
  }
  row_of(element) {
    const row = element.closest(".row");
    return row ? Number(row.dataset.row) : -1;
  }

  // Widths of lanes, lines of rows, and where each row begins. To be called when the width has changed.
  lay_out() {
    const { rows, columns } = this.execution;
    const sample = make("span", { class: "mono measure", text: "0".repeat(100) });
    this.list.append(sample);  // also for zoomed and smallest font sizes
    this.character = sample.getBoundingClientRect().width / 100 || 7.2;
    sample.remove();
    this.number_width = Math.max(3, String(rows.length).length) * this.character + 4;
    this.gutter = this.number_width + 20;
    const around = kRail + 10 + 12 + 9;  // rail, box padding, space to the next lane
    const names = columns.map((column) => cells(column.name) * this.character * 1.05 + kRail + 16);
    const needed = [...names];
    let place = 0;
    for (const row of rows) {
      const own = Math.max(cells(row.text), ...row.changes.map((change) => cells(change.name) + cells(change.value) + 3));
      needed[row.column] = Math.max(needed[row.column], Math.min(own, 60) * this.character + around);
      place = Math.max(place, cells(row.place));
    }
    const available = this.list.clientWidth - this.gutter - 4;
    const wanted = needed.reduce((sum, width) => sum + width, 0);
    place = Math.min(place, 44) * this.character + 20;
    this.place_width = wanted + place <= available ? place : 0;
    const room = available - this.place_width;
    if (wanted <= room) {
      const more = Math.min((room - wanted) / columns.length, 60);
      this.widths = needed.map((width) => width + more);
    } else {
      this.widths = squeezed(needed, names, room);
    }
    this.lefts = [];
    let left = this.gutter;
    for (const width of this.widths) {
      this.lefts.push(left);
      left += width;
    }
    this.width = Math.max(left + this.place_width, this.list.clientWidth);
    this.edge = Math.max(left, available + this.gutter - this.place_width);  // of what boxes may take
    this.tops = new Array(rows.length + 1);
    this.lines = new Array(rows.length);
    this.change_lines = new Array(rows.length);
    let top = 4;
    rows.forEach((row, i) => {
      const width = Math.max(6, Math.min(60, Math.floor((this.edge - this.lefts[row.column] - around + 1) / this.character)));
      const changes = row.changes.flatMap((change) => wrapped(`${change.name} = ${change.value}`, width).slice(0, 2));
      this.lines[i] = [...wrapped(row.text, width), ...changes];
      this.change_lines[i] = changes.length;
      this.tops[i] = top;
      top += this.reason_height(i) + this.lines[i].length * kLine + 2 * kBoxPadding + kGap;
    });
    this.tops[rows.length] = top;
    this.body.style.height = `${top + 8}px`;
    this.body.style.width = `${this.width}px`;
    this.heads.style.width = `${this.width}px`;
    this.list.style.setProperty("--number", `${this.number_width}px`);
    this.heads.replaceChildren(make("span", { class: "head number", text: "#" }));
    columns.forEach((column, i) => {
      const head = make("span", { class: "head" + (column.task ? " task" : ""), text: column.name, title: column.name + (column.task ? " (a task)" : "") });
      head.style.left = `${this.lefts[i] + 6}px`;
      head.style.width = `${this.widths[i] - 10}px`;
      this.heads.append(head);
    });
    for (const element of this.elements.values()) element.remove();
    this.elements.clear();
    this.drawn = "";
    this.refresh();
  }
  is_switch(i) { return i > 0 && this.execution.rows[i].column !== this.execution.rows[i - 1].column; }
  reason_height(i) { return this.is_switch(i) ? (this.execution.rows[i].switched ? kReason : 5) : 0; }
  rail(i) { return this.lefts[this.execution.rows[i].column] + kRail; }
  middle(i) { return this.tops[i] + this.reason_height(i) + kBoxPadding + kLine / 2; }
  box_left(i) { return this.rail(i) + 10; }
  box_width(i) {
    return Math.min(Math.max(...this.lines[i].map(cells)) * this.character + 13, this.edge - this.box_left(i) - 4);
  }

  row_at(y) {
    let low = 0;
    let high = this.execution.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] <= y) low = middle + 1; else high = middle;
    }
    return low;
  }

  refresh_soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.refresh();
    });
  }
  refresh() {
    const count = this.execution.rows.length;
    if (count === 0 || !this.tops) return;
    const above = this.list.scrollTop;
    const first = Math.max(0, this.row_at(above) - 12);
    const last = Math.min(count - 1, this.row_at(above + this.list.clientHeight) + 12);
    const wanted = new Set([this.current]);
    for (let i = first; i <= last; ++i) wanted.add(i);
    for (const [i, element] of this.elements) {
      if (wanted.has(i)) continue;
      element.remove();
      this.elements.delete(i);
    }
    for (const i of wanted) {
      if (!this.elements.has(i)) {
        const element = this.make_row(i);
        this.elements.set(i, element);
        this.body.append(element);
      }
    }
    this.draw_links(first, last);
  }

  make_row(i) {
    const row = this.execution.rows[i];
    const classes = ["row", row.kind];
    if (this.execution.wrong[i]) classes.push("marked");
    if (i === this.current) classes.push("current");
    const element = make("div", {
      class: classes.join(" "), role: "option", id: `${this.id}-${i}`, "data-row": i, "aria-label": this.execution.spoken(i),
      "aria-selected": i === this.current ? "true" : "false", "aria-posinset": i + 1, "aria-setsize": this.execution.rows.length,
    });
    const reason = this.reason_height(i);
    element.style.top = `${this.tops[i] + reason}px`;
    element.style.height = `${this.tops[i + 1] - this.tops[i] - reason - kGap}px`;
    const sign = row.kind === "failure" ? "!!" : this.execution.wrong[i] ? "!" : "";
    element.append(make("span", { class: "number", text: row.step === 0 ? "" : row.step }), make("span", { class: "mark", text: sign }));
    const own = this.lines[i].length - this.change_lines[i];
    const box = make("span", { class: "box" });
    this.lines[i].forEach((line, at) => box.append(make("span", { class: at >= own ? "change" : "text", text: line || " " })));
    box.style.left = `${this.box_left(i)}px`;
    box.style.width = `${this.box_width(i)}px`;
    element.append(box);
    if (this.place_width > 0) {
      const place = make("span", { class: "place", text: row.place });
      place.style.width = `${this.place_width - 12}px`;
      element.append(place);
    }
    if (row.switched && this.is_switch(i)) {
      const before = this.rail(i - 1);
      const words = make("span", { class: "reason", text: row.switched });
      const ahead = this.rail(i) > before;
      words.style.left = `${before + (ahead ? 6 : 8)}px`;
      words.style.maxWidth = `${this.width - before - 20}px`;
      words.style.top = `${-kReason}px`;
      element.append(words);
    }
    return element;
  }

  // Links with an end in view, and those of the current row.
  draw_links(first, last) {
    const key = `${first} ${last} ${this.active} ${this.current} ${this.hovered} ${[...this.shown].join(" ")}`;
    if (this.drawn === key) return;
    this.drawn = key;
    const top = this.tops[first];
    const height = this.tops[last + 1] - top + 8;
    this.svg.setAttribute("viewBox", `0 ${top} ${this.width} ${height}`);
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", height);
    this.svg.style.top = `${top}px`;
    const parts = [];
    for (const left of this.lefts) {
      parts.push(draw("path", { class: "rail", d: `M${left + kRail} ${top}v${height}` }));
    }
    const links = new Set();
    for (let i = first; i <= last; ++i) {
      if (i > 0 && !this.is_switch(i)) parts.push(draw("path", { class: "runs", d: `M${this.rail(i)} ${this.middle(i - 1)}V${this.middle(i)}` }));
      else if (i > 0 && this.shown.has("switch")) parts.push(...this.switch_parts(i));
      for (const link of this.execution.linksOf[i]) links.add(link);
    }
    const chosen = this.active ? [this.current, this.hovered] : [this.hovered];
    for (const i of chosen) {
      for (const link of this.execution.linksOf[i] || []) links.add(link);
    }
    const strong = [];
    for (const link of links) {
      const touched = chosen.includes(link.from) || chosen.includes(link.to);
      const dull = this.rail(link.from) === this.rail(link.to) && link.kind !== "missed";
      if (!touched && (!this.shown.has(link.kind) || dull)) continue;
      (touched ? strong : parts).push(...this.link_parts(link, touched));
    }
    parts.push(...strong);
    for (let i = first; i <= last; ++i) {
      const sign = step_sign(this.execution.rows[i], this.rail(i), this.middle(i));
      if (this.execution.wrong[i]) sign.classList.add("wrong");
      parts.push(sign);
    }
    this.svg.replaceChildren(...parts);
  }

  // Down from the column before, across between the rows, down to this one.
  switch_parts(i) {
    const x = this.rail(i - 1);
    const to = this.rail(i);
    const y = this.tops[i] + this.reason_height(i) - 2;
    const way = Math.sign(to - x) * 4;
    const end = this.middle(i) - 6;
    return [
      draw("path", { class: "link switch", d: `M${x} ${this.middle(i - 1)}V${y - 4}Q${x} ${y} ${x + way} ${y}H${to - way}Q${to} ${y} ${to} ${y + 4}V${end}` }),
      draw("path", { class: "head-of switch", d: `M${to - 3.5} ${end - 5}L${to} ${end}L${to + 3.5} ${end - 5}z` }),
    ];
  }

  link_parts(link, strong) {
    const { from, to, kind } = link;
    const classes = ` ${kind}${strong ? " strong" : ""}`;
    const y = this.middle(from);
    const end = this.middle(to);
    const a = this.rail(from);
    const b = this.rail(to);
    let path;
    let tip;
    let way = 1;  // the direction in which the arrow arrives
    if (a === b) {
      const out = Math.min(12, 7 + Math.abs(to - from));
      tip = b - 7;
      path = `M${a - 6} ${y}C${a - out - 4} ${y} ${b - out - 4} ${end} ${tip} ${end}`;
    } else if (a < b && this.box_left(from) + this.box_width(from) > b - 16) {  // the box lies over the other's rail
      tip = b - 8;
      path = `M${a} ${y + 5}C${a} ${y + (end - y) * 0.7} ${tip - 30} ${end} ${tip} ${end}`;
    } else if (a < b) {
      const start = this.box_left(from) + this.box_width(from);
      tip = b - 8;
      const bend = Math.max(24, Math.min(70, Math.abs(tip - start) / 2));
      path = `M${start} ${y}C${start + bend} ${y} ${tip - bend} ${end} ${tip} ${end}`;
    } else if (this.box_left(to) + this.box_width(to) > a - 16) {
      tip = b - 8;
      path = `M${a - 7} ${y}C${a - 40} ${y} ${tip - 30} ${end} ${tip} ${end}`;
    } else {
      tip = this.box_left(to) + this.box_width(to) + 2;
      way = -1;
      const start = a - 7;
      const bend = Math.max(24, Math.min(70, Math.abs(start - tip) / 2));
      path = `M${start} ${y}C${start - bend} ${y} ${tip + bend} ${end} ${tip} ${end}`;
    }
    const open = kind === "wakes" || kind === "after" || kind === "missed";
    const back = tip - way * 6;
    const head = kind === "missed" ? `M${tip} ${end - 4}V${end + 4}M${tip - way * 3} ${end - 4}V${end + 4}` : `M${back} ${end - 4}L${tip} ${end}L${back} ${end + 4}${open ? "" : "z"}`;
    return [draw("path", { class: "link" + classes, d: path }), draw("path", { class: "head-of" + (open ? " open" : "") + classes, d: head })];
  }

  show(i) {
    for (const at of [this.current, i]) {
      const element = this.elements.get(at);
      if (!element) continue;
      element.classList.toggle("current", at === i);
      element.setAttribute("aria-selected", String(at === i));
    }
    this.current = i;
    if (!this.tops || this.execution.rows.length === 0) return;
    const margin = Math.min(90, this.list.clientHeight / 4);
    const top = this.tops[i];
    const bottom = this.tops[i + 1];
    const visible = this.list.clientHeight - this.heads.offsetHeight;
    if (top - margin < this.list.scrollTop) this.list.scrollTop = Math.max(0, top - margin);
    else if (bottom + margin > this.list.scrollTop + visible) this.list.scrollTop = bottom + margin - visible;
    const lane = this.lefts[this.execution.rows[i].column];
    const right = lane + this.widths[this.execution.rows[i].column];
    if (lane < this.list.scrollLeft + this.gutter) this.list.scrollLeft = lane - this.gutter;
    else if (right > this.list.scrollLeft + this.list.clientWidth) this.list.scrollLeft = right - this.list.clientWidth;
    this.refresh();
    this.list.setAttribute("aria-activedescendant", `${this.id}-${i}`);
  }
  hover(i) {
    if (this.hovered === i) return;
    this.hovered = i;
    this.refresh_soon();
  }
  set_active(active) {
    this.active = active;
    this.refresh_soon();
  }
  set_shown(shown) {
    this.shown = shown;
    this.refresh_soon();
  }
}
