// One execution as the page shows it: rows by position, references between them as links, watched values over time.
// Knows nothing of the document.
"use strict";

// What a link says of the row that it leads to, and of the one that it comes from.
const kLinkWords = {
  reads: { to: "reads from", from: "read by", name: "reads from" },
  wakes: { to: "waited for", from: "lets go on", name: "wake-up, message" },
  missed: { to: "did not see", from: "not seen by", name: "write not seen" },
  overwrites: { to: "overwrites", from: "overwritten by", name: "overwrites" },
  after: { to: "happens after", from: "happens before", name: "happens before" },
};

class Execution {
  // `part`: a finding, or the fixed variant.
  constructor(title, part) {
    this.title = title;
    this.columns = part.columns;
    this.rows = part.steps;
    this.trace = part.trace;
    this.rowOfStep = new Map();
    this.labels = [];
    this.label_rows();
    // Marked, or spoken of where the finding says why and where.
    this.wrong = this.rows.map((row) => row.marked);
    for (const match of (part.why || []).join(" ").matchAll(/#(\d{1,9})\b/g)) this.mark(Number(match[1]));
    for (const place of part.places || []) this.mark(place.step);
    this.links = [];
    this.linksOf = this.rows.map(() => []);
    this.link_rows();
    this.switches = [];
    for (let i = 1; i < this.rows.length; ++i) {
      if (this.rows[i].column !== this.rows[i - 1].column) this.switches.push(i);
    }
    this.history = new Map();  // by watched name: [row, value] in order
    this.rows.forEach((row, i) => {
      for (const { name, value } of row.changes) {
        if (!this.history.has(name)) this.history.set(name, []);
        this.history.get(name).push([i, value]);
      }
    });
  }

  // A name for each row that a link to the page can carry: its number; 4a, 4b for notes without one; `failure`.
  label_rows() {
    let number = 0;
    let notes = 0;
    let failures = 0;
    this.rows.forEach((row, i) => {
      if (row.step !== 0) {
        number = row.step;
        notes = 0;
        this.rowOfStep.set(row.step, i);
        this.labels.push(String(row.step));
      } else if (row.kind === "failure") {
        this.labels.push("failure" + (++failures > 1 ? failures : ""));
      } else {
        let letters = "";
        for (let n = ++notes; n > 0; n = Math.floor((n - 1) / 26)) letters = String.fromCharCode(97 + (n - 1) % 26) + letters;
        this.labels.push(number + letters);
      }
    });
    this.rowOfLabel = new Map(this.labels.map((label, i) => [label, i]));
  }

  mark(step) {
    const row = this.rowOfStep.get(step);
    if (row !== undefined) this.wrong[row] = true;
  }

  link_rows() {
    this.rows.forEach((row, i) => {
      this.link("reads", row.reads_from, i);
      this.link("wakes", row.waited_for, i);
      this.link("overwrites", row.overwrites, i);
      for (const step of row.happens_after) this.link("after", step, i);
      const overwriter = this.rowOfStep.get(row.overwritten_by);
      if (overwriter === undefined) return;
      if (row.reads && overwriter < i) this.link("missed", row.overwritten_by, i);
      else if (this.rows[overwriter].overwrites !== row.step) this.add_link("overwrites", i, overwriter);
    });
  }
  link(kind, step, to) {
    const from = this.rowOfStep.get(step);
    if (from !== undefined && from !== to) this.add_link(kind, from, to);
  }
  add_link(kind, from, to) {
    const link = { kind, from, to };
    this.links.push(link);
    this.linksOf[from].push(link);
    this.linksOf[to].push(link);
  }

  name(i) {
    const row = this.rows[i];
    return row.step !== 0 ? "#" + row.step : row.kind === "failure" ? "!!" : "note " + this.labels[i];
  }
  column_name(i) { return this.columns[this.rows[i].column].name; }

  // The watched values after row `i`: [{name, value, before, changed}], value undefined while there is none.
  values_at(i) {
    return [...this.history].map(([name, changes]) => {
      let low = 0;
      let high = changes.length;  // the first change after row i
      while (low < high) {
        const middle = (low + high) >> 1;
        if (changes[middle][0] <= i) low = middle + 1; else high = middle;
      }
      const last = changes[low - 1];
      const changed = last !== undefined && last[0] === i;
      return { name, value: last && last[1], before: changed && low > 1 ? changes[low - 2][1] : undefined, changed };
    });
  }

  // The next row from `i` on, in direction +1 or -1, for which `wanted` holds; `i` if there is none.
  seek(i, direction, wanted) {
    for (let at = i + direction; at >= 0 && at < this.rows.length; at += direction) {
      if (wanted(at)) return at;
    }
    return i;
  }
  seek_switch(i, direction) { return this.seek(i, direction, (at) => at > 0 && this.rows[at].column !== this.rows[at - 1].column); }
  seek_column(i, direction) { return this.seek(i, direction, (at) => this.rows[at].column === this.rows[i].column); }
  seek_marked(i, direction) { return this.seek(i, direction, (at) => this.wrong[at] || this.rows[at].kind === "failure"); }

  // What a row is, in one line, for those who hear it.
  spoken(i) {
    const row = this.rows[i];
    const words = [`${row.kind === "failure" ? "failure" : this.name(i)}, ${this.column_name(i)}: ${row.text}`];
    if (this.wrong[i] && row.kind !== "failure") words.push("part of what is wrong");
    if (row.switched) words.push("switched here: " + row.switched);
    for (const link of this.linksOf[i]) {
      if (link.to === i && link.kind !== "after") words.push(`${kLinkWords[link.kind].to} ${this.name(link.from)}`);
    }
    for (const { name, value } of row.changes) words.push(`${name} is now ${value}`);
    if (row.place) words.push(row.place);
    return words.join("; ");
  }
}
