// What the page says in words: the head of a finding, the current step with its source line and the watched values, the keys,
// and the tables that are printed.
"use strict";

// `text` with each #4 that is a step as a button that goes there.
function with_step_links(text, execution, go) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(/#(\d{1,9})\b/g)) {
    const row = execution.rowOfStep.get(Number(match[1]));
    if (row === undefined) continue;
    parts.push(text.slice(end, match.index), step_button(execution, row, go));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}
function step_button(execution, row, go) {
  const button = make("button", { type: "button", class: "step", text: execution.name(row), title: `${execution.column_name(row)}: ${execution.rows[row].text}` });
  button.addEventListener("click", () => go(row));
  return button;
}
function count_of(number, word) { return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`; }

function stack_list(stack) {
  const list = make("ol", { class: "stack mono" });
  for (const frame of stack) list.append(make("li", { text: frame }));
  return list;
}

function least_text(finding) {
  const steps = finding.steps.filter((row) => row.step !== 0).length;
  const rest = finding.fewest_switches ? " \u2014 no order of this execution has fewer" : "";
  return `${count_of(steps, "step")}, ${count_of(finding.switches, "switch").replace("switchs", "switches")}${rest}`;
}

// The facts of a finding below its message: WHY, WHERE, MIN, NEAR, REPLAY.
function fill_facts(list, finding, execution, go, copy) {
  list.replaceChildren();
  const fact = (name, ...what) => list.append(make("dt", { text: name }), make("dd", {}, ...what));
  if (finding.why.length > 0) {
    fact("WHY", ...finding.why.map((sentence) => make("p", {}, ...with_step_links(sentence, execution, go))));
  }
  if (finding.places.length > 0) {
    fact("WHERE", ...finding.places.map((place) => {
      const row = place.step === 0 ? undefined : execution.rowOfStep.get(place.step);
      const line = make("p", {}, make("b", { text: place.column }), `: ${place.what}`);
      if (place.place) line.append(" at ", make("span", { class: "mono", text: place.place }));
      if (row !== undefined) line.append(" ", step_button(execution, row, go));
      if (place.stack.length > 0) {
        line.append(" ", make("details", { class: "calls" }, make("summary", { text: count_of(place.stack.length, "call") }), stack_list(place.stack)));
      }
      return line;
    }));
  }
  fact("MIN", make("p", { id: "least", text: least_text(finding) }));
  if (finding.near) fact("NEAR", make("p", { id: "near" }, ...with_step_links(finding.near, execution, go)));
  if (finding.replay) {
    const field = make("input", { id: "replay", class: "mono", readonly: true, value: finding.replay, "aria-label": "Command that replays this execution", spellcheck: "false" });
    const button = make("button", { type: "button", id: "copy", text: "Copy", title: "Copy the replay line (c)" });
    const said = make("span", { id: "copied", role: "status" });
    button.addEventListener("click", () => copy(field, said));
    field.addEventListener("focus", () => field.select());
    fact("REPLAY", make("div", { class: "replay" }, field, button, said));
  }
}

function source_line(row) {
  const place = make("div", { class: "source" });
  const title = row.file ? `${row.file}${row.line ? ":" + row.line : ""}` : row.place;
  place.append(make("div", { class: "quiet mono file", text: title || "no source line is known" }));
  if (row.source) {
    place.append(make("pre", { id: "source", class: "mono" }, make("span", { class: "line-number", text: row.line || "" }), make("code", { text: row.source })));
  }
  return place;
}

function value_table(execution, i) {
  const values = execution.values_at(i);
  if (values.length === 0) return make("p", { class: "quiet", text: "Nothing is watched (weft::watch)." });
  const table = make("table", { id: "state" }, make("caption", { class: "unseen", text: "Watched values after this step" }));
  table.append(make("thead", {}, make("tr", {}, make("th", { scope: "col", text: "watched" }), make("th", { scope: "col", text: "value" }), make("th", { scope: "col", text: "before" }))));
  const body = make("tbody");
  for (const { name, value, before, changed } of values) {
    const cell = make("td", { class: "mono", text: value === undefined ? "\u2013" : value });
    if (changed) cell.append(make("span", { class: "unseen", text: " (changed)" }));
    body.append(make("tr", { class: changed ? "changed" : "" }, make("th", { scope: "row", class: "mono", text: name }), cell,
      make("td", { class: "mono quiet", text: changed ? (before === undefined ? "new" : before) : "" })));
  }
  table.append(body);
  return table;
}

// Who is related to the row, and how, in both directions.
function relation_list(execution, i, go) {
  const list = make("ul", { class: "relations" });
  const groups = new Map();
  for (const link of execution.linksOf[i]) {
    const words = kLinkWords[link.kind][link.to === i ? "to" : "from"];
    if (!groups.has(words)) groups.set(words, []);
    groups.get(words).push(link.to === i ? link.from : link.to);
  }
  const kMost = 24;
  for (const [words, rows] of groups) {
    const item = make("li", {}, make("span", { class: "relation", text: words }), " ");
    for (const row of rows.slice(0, kMost)) item.append(step_button(execution, row, go), " ");
    if (rows.length === 1) item.append(make("span", { class: "quiet", text: `${execution.column_name(rows[0])}: ${execution.rows[rows[0]].text}` }));
    if (rows.length > kMost) item.append(make("span", { class: "quiet", text: `and ${rows.length - kMost} more` }));
    list.append(item);
  }
  return list;
}

function kind_words(row) {
  if (row.kind === "failure") return "the failure";
  if (row.reads && row.writes) return "read-modify-write";
  return row.writes ? "write" : row.reads ? "read" : row.kind;
}

function fill_inspector(aside, execution, i, finding, go) {
  const row = execution.rows[i];
  const thread = row.thread && row.thread !== execution.column_name(i) ? ` on ${row.thread}` : "";
  const about = make("div", { class: "about" }, make("div", { class: "what" },
    make("h2", {}, make("span", { class: "number", text: execution.name(i) }), ` ${execution.column_name(i)}`),
    make("span", { class: "quiet", text: `${kind_words(row)}${row.object ? " of " + row.object : ""}${thread}` })));
  if (execution.wrong[i] && row.kind !== "failure") about.firstChild.append(make("span", { class: "wrong", text: "! part of what is wrong" }));
  about.append(make("p", { id: "step-text", class: "mono", text: row.text }));
  if (row.kind === "failure" && finding.message) about.append(make("p", { class: "wrong", text: finding.message }));
  if (row.switched && i > 0) about.append(make("p", { class: "quiet" }, `Switch from ${execution.column_name(i - 1)}: ${row.switched}.`));
  about.append(source_line(row));
  const values = make("div", { class: "values" }, make("h3", { text: "State" }), value_table(execution, i));
  const related = make("div", { class: "related" });
  const relations = relation_list(execution, i, go);
  if (relations.children.length > 0) related.append(make("h3", { text: "Related steps" }), relations);
  for (const place of finding.places) {
    if (row.step === 0 || place.step !== row.step || place.stack.length === 0) continue;
    related.append(make("h3", { text: "Calls" }), stack_list(place.stack));
    break;
  }
  aside.replaceChildren(about, values, related);
  aside.scrollTop = 0;
}

const kKeys = [
  ["\u2193  \u2192  j", "next step"], ["\u2191  \u2190  k", "previous step"], ["Home  End", "first, last step"], ["Page Up/Down", "ten steps"],
  ["n  N", "next, previous step of the same column"], ["s  S", "next, previous switch"], ["m  M", "next, previous step that is part of what is wrong"],
  ["f", "broken or fixed: which of the two is stepped through"], ["1 \u2026 9", "finding"], ["/", "find a step; Enter goes on to the next"],
  ["c", "copy the replay line"], ["t", "light or dark"], ["?", "this help"],
];

function fill_help(dialog) {
  const keys = make("dl", { class: "keys" });
  for (const [key, does] of kKeys) {
    const term = make("dt");
    for (const one of key.split("  ")) term.append(make("kbd", { text: one }), " ");
    keys.append(term, make("dd", { text: does }));
  }
  const signs = make("ul", { class: "signs" });
  const kSigns = [[{ reads: true }, "read"], [{ writes: true }, "write"], [{ reads: true, writes: true }, "read-modify-write"], [{}, "other operation"],
    [{ kind: "note" }, "note"], [{ kind: "failure" }, "failure, !!"]];
  for (const [row, name] of kSigns) {
    const svg = draw("svg", { width: 16, height: 16, "aria-hidden": "true" });
    svg.append(step_sign(row, 8, 8));
    signs.append(make("li", {}, svg, " ", name));
  }
  signs.append(make("li", {}, make("b", { class: "wrong", text: "!" }), " part of what is wrong"));
  const close = make("button", { type: "button", text: "Close", class: "close" });
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(make("h2", { id: "help-title", text: "Keys and signs" }), keys, signs,
    make("p", { class: "quiet", text: "Time goes down, a column is a thread or a task. The address of the page (#step=4) is a link to the current step." }), close);
}

// For paper: every step as a row of a table whose head each page repeats.
function print_table(execution) {
  const table = make("table", {}, make("caption", { text: execution.title }));
  const head = make("tr", {}, make("th", { text: "#" }));
  for (const column of execution.columns) head.append(make("th", { text: column.name }));
  head.append(make("th", { text: "related" }), make("th", { text: "state" }), make("th", { text: "place" }));
  const body = make("tbody");
  execution.rows.forEach((row, i) => {
    const line = make("tr", { class: row.kind + (execution.wrong[i] ? " marked" : "") }, make("td", { text: row.step === 0 ? "" : row.step }));
    execution.columns.forEach((column, at) => {
      const sign = row.kind === "failure" ? "!! " : execution.wrong[i] ? "! " : "";
      line.append(make("td", { text: at === row.column ? sign + row.text : "" }));
    });
    const related = execution.linksOf[i].filter((link) => link.to === i && link.kind !== "after");
    line.append(make("td", { text: related.map((link) => `${kLinkWords[link.kind].to} ${execution.name(link.from)}`).join(", ") }),
      make("td", { text: row.changes.map((change) => `${change.name}=${change.value}`).join(" ") }), make("td", { text: row.place }));
    body.append(line);
  });
  table.append(make("thead", {}, head), body);
  return table;
}
