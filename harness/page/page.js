// The page itself: which finding, which side, which step, and everything that changes that: keys, slider, buttons, address.
"use strict";

class Page {
  constructor(data) {
    this.data = data;
    this.byId = (id) => document.getElementById(id);
    this.finding = -1;
    this.side = 0;
    this.shown = new Set(["switch", "reads", "wakes", "missed"]);
    this.go = (row) => this.step_to(row);
    document.body.classList.add("scripted");
    this.byId("page").hidden = false;
    fill_help(this.byId("help"));
    this.fill_switcher();
    this.fill_arrows();
    this.connect();
    this.read_address();
  }

  // --- what is shown ---

  get lanes() { return this.panels[this.side]; }
  get execution() { return this.lanes.execution; }
  get row() { return this.lanes.current; }

  show_finding(number) {
    if (this.finding === number) return;
    this.finding = number;
    this.side = 0;
    const { data } = this;
    const finding = data.findings[number];
    const broken = new Execution(`${data.variant}, which fails`, finding);
    const badge = this.byId("verdict");
    badge.textContent = finding.warning ? "WARNING" : "BUG";
    badge.className = "badge " + (finding.warning ? "warning" : "bug");
    this.byId("kind").textContent = finding.kind;
    this.byId("name").textContent = `${data.scenario}/${data.variant}`;
    const known = finding.from_before ? ", found again: known from an earlier run" : "";
    this.byId("circumstances").textContent = `${data.model}, execution ${finding.execution.toLocaleString("en")} of ${Math.max(data.executions, finding.execution).toLocaleString("en")}${known}`;
    this.byId("message").textContent = finding.message || finding.kind;
    document.querySelectorAll("#findings button").forEach((button, i) => button.setAttribute("aria-current", i === number ? "true" : "false"));
    const panels = this.byId("panels");
    panels.replaceChildren();
    this.panels = [];
    this.add_panel(broken, "broken", `${data.variant}`, `fails: ${finding.kind}`);
    if (data.fixed) {
      const fixed = new Execution(`${data.fixed.variant}, which is fixed`, data.fixed);
      this.add_panel(fixed, "fixed", data.fixed.variant, `${data.fixed.verdict}, ${count_of(data.fixed.executions, "execution")}; one of them`);
    }
    document.body.classList.toggle("two", this.panels.length === 2);
    fill_facts(this.byId("facts"), finding, broken, (row) => { this.choose_side(0); this.step_to(row); }, (field, said) => this.copy(field, said));
    this.fill_text_trace(finding);
    this.lay_out();
    this.choose_side(0);
    this.show_step(0);
  }

  lay_out() {
    this.width = this.byId("panels").clientWidth;
    for (const lanes of this.panels) lanes.lay_out();
  }

  add_panel(execution, kind, variant, says) {
    const side = this.panels.length;
    const lanes = new Lanes(execution, "lanes" + side, {
      choose: (row) => { this.choose_side(side); this.step_to(row); },
      hover: (row, element) => this.hover(side, row, element),
      focus: () => { if (this.side !== side) { this.choose_side(side); this.write_address(); } },
    });
    const title = make("h2", {}, make("span", { class: "tag " + kind, text: kind }), " ", make("span", { class: "mono", text: variant }), " ", make("span", { class: "quiet", text: says }));
    const panel = make("section", { class: "panel " + kind, "aria-label": `${kind}: ${variant}` }, title, lanes.list);
    if (execution.rows.length === 0) panel.append(make("p", { class: "quiet nothing", text: "No steps were recorded; see the text trace." }));
    this.panels.push(lanes);
    this.byId("panels").append(panel);
    lanes.set_shown(this.shown);
  }

  choose_side(side) {
    if (side >= this.panels.length) return;
    this.side = side;
    this.panels.forEach((lanes, i) => lanes.set_active(i === side));
    document.querySelectorAll(".panel").forEach((panel, i) => panel.classList.toggle("active", i === side && this.panels.length > 1));
    const slider = this.byId("slider");
    slider.max = Math.max(0, this.execution.rows.length - 1);
    this.show_step(this.row);
    this.find_again();
  }

  show_step(row) {
    const { execution } = this;
    const count = execution.rows.length;
    this.byId("slider").disabled = count === 0;
    if (count === 0) {
      this.byId("inspector").replaceChildren();
      this.byId("position").textContent = "no steps";
      return;
    }
    row = Math.min(Math.max(0, row), count - 1);
    this.lanes.show(row);
    const slider = this.byId("slider");
    slider.value = row;
    slider.setAttribute("aria-valuetext", execution.spoken(row));
    this.byId("position").textContent = `${execution.name(row)}, row ${row + 1} of ${count}`;
    for (const [id, end] of [["first", 0], ["previous", 0], ["next", count - 1], ["last", count - 1]]) {
      this.byId(id).setAttribute("aria-disabled", String(row === end));
    }
    fill_inspector(this.byId("inspector"), execution, row, this.side === 0 ? this.data.findings[this.finding] : { places: [] }, this.go);
    this.draw_overview();
  }

  step_to(row) {
    this.hover(this.side, -1);
    this.show_step(row);
    this.write_address();
    const element = this.lanes.elements.get(this.row);
    if (element) this.bring_into_window(element);
    if (document.activeElement !== this.lanes.list && this.execution.rows.length > 0) this.byId("live").textContent = this.execution.spoken(this.row);
  }

  // On a narrow window the page scrolls as a whole.
  bring_into_window(element) {
    const box = element.getBoundingClientRect();
    const top = this.byId("bar").getBoundingClientRect().bottom + 30;
    const dock = this.byId("inspector");
    const bottom = getComputedStyle(dock).position === "sticky" ? dock.getBoundingClientRect().top - 10 : innerHeight - 10;
    if (box.top < top) scrollBy(0, box.top - top);
    else if (box.bottom > bottom) scrollBy(0, box.bottom - bottom);
  }

  hover(side, row, element) {
    clearTimeout(this.tipTimer);
    const tip = this.byId("tip");
    tip.hidden = true;
    this.panels.forEach((lanes, i) => lanes.hover(i === side ? row : -1));
    if (row < 0 || !element) return;
    this.tipTimer = setTimeout(() => {
      const { execution } = this.panels[side];
      const one = execution.rows[row];
      const related = execution.linksOf[row].filter((link) => link.kind !== "after").map((link) =>
        `${kLinkWords[link.kind][link.to === row ? "to" : "from"]} ${execution.name(link.to === row ? link.from : link.to)}`);
      tip.replaceChildren(make("div", { class: "mono", text: `${execution.name(row)} ${execution.column_name(row)}: ${one.text}` }));
      if (one.source) tip.append(make("div", { class: "mono quiet", text: one.source }));
      const rest = [one.place, ...one.changes.map((change) => `${change.name} = ${change.value}`), ...related].filter((text) => text).join("  \u00b7  ");
      if (rest) tip.append(make("div", { class: "quiet", text: rest }));
      tip.hidden = false;
      const box = (element.querySelector(".box") || element).getBoundingClientRect();
      const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
      tip.style.left = `${Math.max(6, Math.min(box.left, innerWidth - tip.offsetWidth - 12))}px`;
      tip.style.top = `${below ? box.bottom + 6 : box.top - tip.offsetHeight - 6}px`;
    }, 350);
  }

  fill_switcher() {
    const nav = this.byId("findings");
    if (this.data.findings.length < 2) return;
    this.data.findings.forEach((finding, i) => {
      const button = make("button", { type: "button", text: `${i + 1} ${finding.kind}`, title: finding.message });
      button.addEventListener("click", () => this.change_finding(i));
      nav.append(button);
    });
  }
  change_finding(i) {
    if (i >= this.data.findings.length) return;
    this.show_finding(i);
    this.write_address();
  }

  fill_arrows() {
    const names = { switch: "switch", ...Object.fromEntries(Object.entries(kLinkWords).map(([kind, words]) => [kind, words.name])) };
    for (const [kind, name] of Object.entries(names)) {
      const open = kind === "wakes" || kind === "after" || kind === "missed";
      const svg = draw("svg", { width: 30, height: 12, "aria-hidden": "true" });
      const head = kind === "missed" ? "M28 2v8M25 2v8" : `M22 2L28 6L22 10${open ? "" : "z"}`;
      svg.append(draw("path", { class: `link ${kind} strong`, d: "M1 6H24" }), draw("path", { class: `head-of ${open ? "open " : ""}${kind} strong`, d: head }));
      const box = make("input", { type: "checkbox", value: kind });
      box.checked = this.shown.has(kind);
      box.addEventListener("change", () => {
        if (box.checked) this.shown.add(kind); else this.shown.delete(kind);
        for (const lanes of this.panels) lanes.set_shown(this.shown);
      });
      this.byId("arrows").append(make("label", {}, box, svg, " ", name));
    }
  }

  fill_text_trace(finding) {
    const fixed = this.data.fixed ? `\n--- ${this.data.fixed.variant}: ${this.data.fixed.verdict} ---\n${this.data.fixed.trace}` : "";
    this.byId("text-trace").querySelector("pre").textContent = finding.trace + fixed;
  }

  // A dash for each step in the line of its column, from left to right; what is wrong stands out by its height, too.
  draw_overview() {
    const canvas = this.byId("overview");
    const { execution } = this;
    const width = canvas.clientWidth;
    const lanes = execution.columns.length;
    const lane = Math.max(2, Math.min(5, Math.floor(34 / lanes)));
    const height = lane * lanes + 6;
    const scale = devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    const style = getComputedStyle(document.body);
    const color = (name) => style.getPropertyValue(name).trim();
    const count = execution.rows.length;
    const inset = 8;
    const each = (width - 2 * inset) / Math.max(1, count - 1);
    const dash = Math.max(1.2, Math.min(each - 2, 60));
    const x_of = (i) => (count === 1 ? width / 2 : inset + i * each);
    context.fillStyle = color("--accent");
    context.fillRect(x_of(this.row) - 0.75, 0, 1.5, height);
    execution.rows.forEach((row, i) => {
      const wrong = execution.wrong[i] || row.kind === "failure";
      context.fillStyle = color(wrong ? "--bug" : "--dash");
      context.fillRect(x_of(i) - dash / 2, 3 + row.column * lane + (wrong ? -1 : 0), dash, lane - 1 + (wrong ? 2 : 0));
    });
  }

  // --- the address ---

  read_address() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const number = Number(wanted.get("finding") || 1) - 1;
    this.show_finding(this.data.findings[number] ? number : 0);
    this.choose_side(wanted.get("side") === "fixed" && this.panels.length > 1 ? 1 : 0);
    const row = this.execution.rowOfLabel.get(wanted.get("step"));
    if (row === undefined) return;
    this.show_step(row);
    this.bring_into_window(this.lanes.elements.get(row));
  }
  write_address() {
    const parts = [];
    if (this.finding > 0) parts.push(`finding=${this.finding + 1}`);
    if (this.execution.rows.length > 0) parts.push(`step=${this.execution.labels[this.row]}`);
    if (this.side === 1) parts.push("side=fixed");
    history.replaceState(null, "", "#" + parts.join("&"));
  }

  // --- copying ---

  async copy(field, said) {
    let done = false;
    try {
      await navigator.clipboard.writeText(field.value);
      done = true;
    } catch {  // not allowed, or no such thing: the old way
      field.focus();  // which selects it
      try { done = document.execCommand("copy"); } catch { done = false; }
    }
    said.textContent = done ? "copied" : "selected: press Ctrl+C";
    clearTimeout(this.copyTimer);
    this.copyTimer = setTimeout(() => { said.textContent = ""; }, 4000);
  }

  // --- finding steps ---

  find_again() {
    const text = this.byId("find").value.trim().toLowerCase();
    this.matches = [];
    if (text !== "") {
      this.execution.rows.forEach((row, i) => {
        const all = `${this.execution.name(i)} ${this.execution.column_name(i)} ${row.text} ${row.place} ${row.object} ${row.switched}`.toLowerCase();
        if (all.includes(text)) this.matches.push(i);
      });
    }
    this.say_found(text);
  }
  say_found(text = "x") {
    const at = this.matches.indexOf(this.row);
    this.byId("found").textContent = text === "" ? "" : this.matches.length === 0 ? "none" : at >= 0 ? `${at + 1}/${this.matches.length}` : String(this.matches.length);
  }
  find_next(direction) {
    if (this.matches.length === 0) return;
    const later = direction > 0 ? this.matches.find((i) => i > this.row) : this.matches.findLast((i) => i < this.row);
    this.step_to(later ?? (direction > 0 ? this.matches[0] : this.matches[this.matches.length - 1]));
    this.say_found();
  }

  // --- what the user does ---

  // Whether the key was for the page.
  press(key) {
    const { execution, row } = this;
    const count = execution.rows.length;
    const to = {
      ArrowDown: row + 1, ArrowRight: row + 1, j: row + 1, ArrowUp: row - 1, ArrowLeft: row - 1, k: row - 1,
      PageDown: row + 10, PageUp: row - 10, Home: 0, End: count - 1,
    }[key];
    if (to !== undefined) {
      if (count > 0) this.step_to(to);
      return true;
    }
    const seek = { n: ["seek_column", 1], N: ["seek_column", -1], s: ["seek_switch", 1], S: ["seek_switch", -1], m: ["seek_marked", 1], M: ["seek_marked", -1] }[key];
    if (seek) {
      if (count > 0) this.step_to(execution[seek[0]](row, seek[1]));
      return true;
    }
    const act = {
      f: () => { if (this.panels.length > 1) { this.choose_side(1 - this.side); this.step_to(this.row); } },
      c: () => { const button = this.byId("copy"); if (button) button.click(); },
      t: () => this.change_theme(),
      "/": () => this.byId("find").focus(),
      "?": () => this.byId("help").showModal(),
    }[key];
    if (act) act();
    else if (/^[1-9]$/.test(key)) this.change_finding(Number(key) - 1);
    else return false;
    return true;
  }

  change_theme() {
    const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    this.draw_overview();
  }

  connect() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || this.byId("help").open) return;
      const { target } = event;
      if (target.id === "find") {
        if (event.key === "Enter") this.find_next(event.shiftKey ? -1 : 1);
        else if (event.key === "Escape") this.lanes.list.focus();
        else return;
        event.preventDefault();
        return;
      }
      if (target.id === "replay" || (target.closest && target.closest("#text-trace pre"))) return;
      if (event.key === "Escape") { this.hover(this.side, -1); return; }
      if (this.press(event.key)) event.preventDefault();
    });
    const steps = { first: () => 0, previous: () => this.row - 1, next: () => this.row + 1, last: () => this.execution.rows.length - 1 };
    for (const [id, row] of Object.entries(steps)) this.byId(id).addEventListener("click", () => this.step_to(row()));
    this.byId("slider").addEventListener("input", (event) => this.step_to(Number(event.target.value)));
    this.byId("overview").addEventListener("click", (event) => {
      const box = event.target.getBoundingClientRect();
      this.step_to(Math.round((event.clientX - box.left - 8) / (box.width - 16) * (this.execution.rows.length - 1)));
    });
    this.byId("find").addEventListener("input", () => this.find_again());
    this.byId("theme").addEventListener("click", () => this.change_theme());
    this.byId("help-button").addEventListener("click", () => this.press("?"));
    this.byId("text-trace").addEventListener("toggle", (event) => { if (event.target.open) event.target.scrollIntoView(); });
    addEventListener("hashchange", () => this.read_address());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw_overview());
    new ResizeObserver(() => {
      if (this.byId("panels").clientWidth === this.width) {
        for (const lanes of this.panels) lanes.refresh_soon();
        return;
      }
      this.lay_out();
      for (const lanes of this.panels) lanes.show(lanes.current);
      this.draw_overview();
    }).observe(this.byId("panels"));
    // Printed are tables, which break between pages where lanes and arrows cannot.
    addEventListener("beforeprint", () => this.byId("print").replaceChildren(...this.panels.map((lanes) => print_table(lanes.execution))));
    addEventListener("afterprint", () => this.byId("print").replaceChildren());
  }
}

// As printable() in report/printable.hpp: what would show a text in another order than it has.
const kCommands = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const shown = (key, value) => typeof value === "string" ? value.replace(kCommands, "?") : value;
new Page(JSON.parse(document.getElementById("finding").textContent, shown));
