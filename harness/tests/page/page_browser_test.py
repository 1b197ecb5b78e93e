#!/usr/bin/env python3
"""The page of `weft show --html` in a real browser: Chromium through its driver, from a file, as a person would open it.
Exit code 77, with the reason, where there is no browser. Usage: page_browser_test.py WEFT [unittest arguments]"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import debian_python

debian_python.restart_with("selenium")
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: there is no python3-selenium")
    sys.exit(77)
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
if CHROMIUM is None or DRIVER is None:
    print("skipped: there is no " + ("chromium" if CHROMIUM is None else "chromedriver (chromium-driver)"))
    sys.exit(77)

import findings

WEFT = os.path.abspath(sys.argv.pop(1))

CONTRAST = """
const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
const light = (c) => { const f = (v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  return .2126 * f(c[0]) + .7152 * f(c[1]) + .0722 * f(c[2]); };
const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > .5) return c; } return [255, 255, 255]; };
const bad = [];
for (const e of document.querySelectorAll('#page *')) {
  if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility() || e.closest('.unseen, [aria-disabled="true"]')) continue;
  const style = getComputedStyle(e);
  const [a, b] = [light(parse(style.color)), light(ground(e))].sort((x, y) => y - x);
  const ratio = (a + .05) / (b + .05);
  if (ratio < 4.5) bad.push(e.tagName + '.' + e.className + ' ' + e.textContent.slice(0, 20) + ' ' + ratio.toFixed(2));
}
return bad;
"""


def start():
    options = Options()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--lang=en"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start()
        cls.addClassCleanup(cls.browser.quit)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.pages = {}
        cls.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])

    @classmethod
    def command(cls, name, **arguments):
        return cls.browser.execute_cdp_cmd(name, arguments)

    def setUp(self):
        self.browser.get("about:blank")
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        self.command("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.window(1440, 900)

    def tearDown(self):
        """Whatever was done: nothing complained, and nothing was fetched."""
        self.assertEqual(self.browser.get_log("browser"), [])
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.assertRegex(message["params"]["request"]["url"], r"\A(file:///[^?]*\.html|data:|about:)")

    def window(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, name, address="", finding=None):
        path = os.path.join(self.folder, name + ".html")
        if name not in self.pages:
            source = os.path.join(self.folder, name + ".json")
            with open(source, "w", encoding="utf-8") as file:
                json.dump(finding or findings.sample(name), file)
            subprocess.run([WEFT, "show", source, "--html", path], check=True, timeout=60)
            self.pages[name] = path
        self.browser.get("about:blank")
        self.browser.get(f"file://{path}{address}")
        self.settle()

    def settle(self):
        self.browser.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()));")

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def element(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0]).textContent", selector)

    def press(self, *keys):
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()
        self.settle()

    def step(self):
        """The current step by each of the ways in which it is shown; they must agree."""
        shown = self.text("#inspector h2 .number")
        row = int(self.script("return document.getElementById('slider').value"))
        self.assertTrue(self.text("#position").startswith(f"{shown}, row {row + 1} of "), self.text("#position"))
        panel = self.script("return document.querySelector('.panel.active') ? [...document.querySelectorAll('.panel')].indexOf(document.querySelector('.panel.active')) : 0")
        selected = self.script(f"return [...document.querySelectorAll('#lanes{panel} [aria-selected=\"true\"]')].map((e) => [e.id, Number(e.dataset.row), e.classList.contains('current')])")
        self.assertEqual(selected, [[f"lanes{panel}-{row}", row, True]])
        self.assertEqual(self.script(f"return document.getElementById('lanes{panel}').getAttribute('aria-activedescendant')"), f"lanes{panel}-{row}")
        return shown

    def state(self):
        return {row[0]: (row[1].replace(" (changed)", ""), row[2], row[3]) for row in self.script(
            "return [...document.querySelectorAll('#state tbody tr')].map((r) => [...r.cells].map((c) => c.textContent).concat(r.classList.contains('changed')))")}

    def address(self):
        return self.browser.current_url.partition("#")[2]

    def box(self, selector):
        return self.script("const b = document.querySelector(arguments[0]).getBoundingClientRect(); return {left: b.left, right: b.right, top: b.top, bottom: b.bottom}", selector)


class Stepping(Page):
    def test_keys_step_through_and_the_state_follows(self):
        self.open("quota_across_await")
        self.assertEqual(self.step(), "#1")
        self.assertEqual(self.state(), {"remaining": ("1", "new", True), "admitted": ("0", "new", True)})
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.step(), "#2")
        self.assertEqual(self.state(), {"remaining": ("1", "", False), "admitted": ("0", "", False)})
        self.press(*[Keys.ARROW_RIGHT] * 5, *"jjjjj")
        self.assertEqual(self.step(), "#12")
        self.assertEqual(self.state(), {"remaining": ("0", "1", True), "admitted": ("1", "0", True)})
        self.assertEqual(self.text("#source code"), "server.quota.set(user, before - 1);  // what it read may be long gone")
        self.assertIn("scenarios/quota_across_await.cpp:48", self.text(".file"))
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.assertEqual(self.state(), {"remaining": ("0", "", False), "admitted": ("2", "1", True)})
        self.press(Keys.ARROW_UP, Keys.ARROW_LEFT, "k")
        self.assertEqual(self.step(), "#12")
        self.press(Keys.END)
        self.assertEqual(self.step(), "!!")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.step(), "!!")
        self.press(Keys.HOME, Keys.ARROW_UP)
        self.assertEqual(self.step(), "#1")
        self.press(Keys.PAGE_DOWN)
        self.assertEqual(self.step(), "#11")
        self.press(Keys.PAGE_UP)
        self.assertEqual(self.step(), "#1")

    def test_changed_cells_are_lit_and_say_so_without_colour(self):
        self.open("quota_across_await", "#step=15")
        cells = self.script("return [...document.querySelectorAll('#state tbody td:nth-child(2)')].map((c) => [getComputedStyle(c).backgroundColor, getComputedStyle(c, '::before').content, getComputedStyle(c).fontWeight])")
        (plain, plain_sign, plain_weight), (lit, lit_sign, lit_weight) = cells
        self.assertNotEqual(plain, lit)
        self.assertEqual(plain_sign, "none")
        self.assertIn("\u25b8", lit_sign)
        self.assertGreater(int(lit_weight), int(plain_weight))

    def test_keys_that_seek(self):
        self.open("lost_increment", "#finding=2")
        seen = []
        for key in "sssmmMnNS":
            self.press(key)
            seen.append(self.step())
        self.assertEqual(seen, ["#4", "#5", "#10", "#11", "!!", "#11", "#12", "#11", "#10"])

    def test_buttons_and_slider(self):
        self.open("quota_across_await")
        for button, step in (("next", "#2"), ("last", "!!"), ("previous", "#16"), ("first", "#1")):
            self.element("#" + button).click()
            self.assertEqual(self.step(), step)
        slider = self.element("#slider")
        ActionChains(self.browser).click_and_hold(slider).move_by_offset(40, 0).release().perform()
        self.assertEqual(self.step(), "#10")  # from the middle, #9
        ActionChains(self.browser).drag_and_drop_by_offset(self.element("#slider"), 0, 0).click_and_hold(slider).move_to_element_with_offset(self.element("#first"), 0, 0).release().perform()
        self.assertEqual(self.step(), "#1")
        self.press(Keys.ARROW_DOWN)  # with the focus on the slider: down is on, as everywhere
        self.assertEqual(self.step(), "#2")
        self.assertIn("Request A: quota.get(42) -> 1", slider.get_attribute("aria-valuetext"))

    def test_rows_and_steps_in_sentences_can_be_clicked(self):
        self.open("quota_across_await")
        self.element("#lanes0-6 .box").click()
        self.assertEqual(self.step(), "#7")
        self.script("[...document.querySelectorAll('#facts button.step')].find((b) => b.textContent === '#12').click()")
        self.assertEqual(self.step(), "#12")
        self.script("document.querySelector('.relations button').click()")
        self.assertEqual(self.step(), "#15")

    def test_the_current_row_is_in_view(self):
        self.open("quota_across_await")
        for _ in range(16):
            self.press("j")
            row = self.script("return document.getElementById('slider').value")
            inside, outside = self.box(f"#lanes0-{row}"), self.box("#lanes0")
            self.assertGreaterEqual(inside["top"], outside["top"] + 20)
            self.assertLessEqual(inside["bottom"], outside["bottom"])

    def test_finding_steps(self):
        self.open("quota_across_await")
        self.press("/", *"quota.set")
        self.assertEqual(self.text("#found"), "2")
        self.press(Keys.ENTER)
        self.assertEqual((self.step(), self.text("#found")), ("#12", "1/2"))
        self.press(Keys.ENTER)
        self.assertEqual((self.step(), self.text("#found")), ("#15", "2/2"))
        self.press(Keys.ENTER)
        self.assertEqual((self.step(), self.text("#found")), ("#12", "1/2"))
        ActionChains(self.browser).key_down(Keys.SHIFT).send_keys(Keys.ENTER).key_up(Keys.SHIFT).perform()
        self.assertEqual((self.step(), self.text("#found")), ("#15", "2/2"))
        self.press(Keys.ESCAPE, "j")
        self.assertEqual(self.step(), "#16")

    def test_hovering_shows_a_row(self):
        self.open("message_passing")
        self.assertFalse(self.element("#tip").is_displayed())
        ActionChains(self.browser).move_to_element(self.element("#lanes0-6 .box")).perform()
        time.sleep(0.6)
        tip = self.element("#tip").text
        for text in ("load data -> 0", "assert(data == 42);", "message_passing.cpp:15", "did not see #3"):
            self.assertIn(text, tip)


class Addresses(Page):
    def test_links_to_steps(self):
        self.open("quota_across_await", "#step=4")
        self.assertEqual(self.step(), "#4")
        self.press("j")
        self.assertEqual(self.address(), "step=5")
        self.script("location.hash = '#step=9'")
        self.settle()
        self.assertEqual(self.step(), "#9")
        self.press("f", "j")
        self.assertEqual(self.address(), "step=2&side=fixed")
        self.open("quota_across_await", "#step=3&side=fixed")
        self.assertEqual(self.step(), "#3")
        self.assertEqual(self.text(".panel.active .tag"), "fixed")
        self.open("lost_increment", "#finding=2&step=11")
        self.assertEqual((self.step(), self.text("#message")), ("#11", "counter = 7 + increments"))
        self.press("j")
        self.assertEqual(self.address(), "finding=2&step=12")

    def test_rows_without_a_number_have_links_too(self):
        self.open("message_passing", "#step=4a")
        self.assertEqual(self.text("#step-text"), "everything is published")
        self.press(Keys.END)
        self.assertEqual(self.address(), "step=failure")
        self.open("message_passing", "#step=failure")
        self.assertEqual(self.step(), "!!")

    def test_links_to_nothing(self):
        for address in ("#step=999", "#step=-1", "#step=", "#finding=0&step=2", "#finding=9", "#finding=x", "#side=fixed", "#%00%ff<script>", "#step=1e0", "#__proto__=1&step=constructor"):
            with self.subTest(address):
                self.open("message_passing", address)
                self.assertEqual(self.step(), "#2" if "step=2" in address else "#1")


class Copying(Page):
    REPLAY = "weft replay quota_across_await/check_then_await w1:8b6b35fb:0c"

    def pasted(self):
        self.script("document.getElementById('find').value = ''; document.getElementById('find').focus()")
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()
        return self.script("return document.getElementById('find').value")

    def test_the_button_copies(self):
        self.open("quota_across_await")
        self.element("#copy").click()
        self.settle()
        self.assertEqual(self.text("#copied"), "copied")
        self.assertEqual(self.pasted(), self.REPLAY)

    def test_the_key_copies_without_a_clipboard_object(self):
        self.open("quota_across_await")
        self.element("#find").send_keys("other")
        ActionChains(self.browser).key_down(Keys.CONTROL).send_keys("ac").key_up(Keys.CONTROL).perform()
        self.script("Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.activeElement.blur()")
        self.press("c")
        self.assertEqual(self.text("#copied"), "copied")
        self.assertEqual(self.pasted(), self.REPLAY)

    def test_where_nothing_may_copy_the_line_is_selected(self):
        self.open("quota_across_await")
        self.script("Object.defineProperty(navigator, 'clipboard', { value: undefined }); document.execCommand = () => false")
        self.element("#copy").click()
        self.assertIn("Ctrl+C", self.text("#copied"))
        self.assertEqual(self.script("const f = document.activeElement; return f.value.slice(f.selectionStart, f.selectionEnd)"), self.REPLAY)


class Layout(Page):
    def test_broken_beside_fixed(self):
        self.open("quota_across_await")
        broken, fixed = self.box(".panel.broken"), self.box(".panel.fixed")
        self.assertAlmostEqual(broken["top"], fixed["top"], delta=1)
        self.assertLessEqual(broken["right"], fixed["left"] + 1)
        self.assertIn("claim_then_await", self.text(".panel.fixed h2"))
        self.assertIn("proved, 101 executions", self.text(".panel.fixed h2"))
        self.press("j", "f", "j", "j")
        self.assertEqual(self.step(), "#3")
        self.assertEqual(self.text("#step-text"), "quota.get(42) -> 1")
        self.press("f")
        self.assertEqual(self.step(), "#2")
        self.open("message_passing")
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".panel")), 1)

    def test_a_large_window_does_not_scroll(self):
        self.open("lost_increment")
        self.assertLessEqual(self.script("return document.documentElement.scrollHeight"), 900)
        for selector in ("#bar", "#lanes0", "#lanes1", "#inspector", "#text-trace summary"):
            self.assertLessEqual(self.box(selector)["bottom"], 900, selector)

    def test_a_narrow_window(self):
        self.window(390, 844)
        self.open("quota_across_await")
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 390)
        broken, fixed = self.box(".panel.broken"), self.box(".panel.fixed")
        self.assertGreaterEqual(fixed["top"], broken["bottom"] - 1)
        for _ in range(11):
            self.press("j")
        self.assertEqual(self.step(), "#12")
        row, bar, dock = self.box("#lanes0-11"), self.box("#bar"), self.box("#inspector")
        self.assertGreaterEqual(row["top"], bar["bottom"])
        self.assertLessEqual(row["bottom"], dock["top"])
        self.press("f", "j")
        self.assertEqual(self.step(), "#2")
        row, dock = self.box("#lanes1-1"), self.box("#inspector")
        self.assertLessEqual(row["bottom"], dock["top"])

    def test_a_link_to_a_step_in_a_small_window(self):
        for width, height in ((390, 844), (900, 700)):
            self.window(width, height)
            self.open("quota_across_await", "#step=15")
            row, bar, dock = self.box("#lanes0-14"), self.box("#bar"), self.box("#inspector")
            self.assertGreaterEqual(row["top"], bar["bottom"])
            self.assertLessEqual(row["bottom"], dock["top"])

    def test_a_window_that_changes_its_size(self):
        self.open("quota_across_await", "#step=12")
        self.window(390, 844)
        time.sleep(0.2)
        self.settle()
        self.assertEqual(self.step(), "#12")
        self.assertLessEqual(self.script("return document.querySelector('#lanes0 .rows').offsetWidth"), 420)

    def test_arrows(self):
        self.open("quota_across_await")

        def count(kind):
            return len(self.browser.find_elements(By.CSS_SELECTOR, f"#lanes0 .link.{kind}"))
        self.assertEqual([count(kind) for kind in ("switch", "overwrites")], [7, 0])
        self.element("#arrows input[value=overwrites]").click()
        self.element("#arrows input[value=switch]").click()
        self.settle()
        self.assertEqual([count(kind) for kind in ("switch", "overwrites")], [0, 1])
        self.open("message_passing")
        self.assertEqual([count(kind) for kind in ("switch", "reads", "wakes", "missed")], [2, 1, 2, 1])

    def test_kinds_of_arrows_differ_by_more_than_colour(self):
        self.open("message_passing")
        kinds = self.script("""return [...document.querySelectorAll('#arrows label')].map((l) => {
            const [line, head] = l.querySelectorAll('path');
            return getComputedStyle(line).strokeDasharray + ' ' + head.getAttribute('d'); })""")
        self.assertEqual(len(kinds), 6)
        # A switch is the only one with corners and reads-from the only other solid one; all others by their dashes.
        self.assertEqual(len(set(kinds)), 5)
        self.assertRegex(self.script("return document.querySelector('#lanes0 .link.switch').getAttribute('d')"), "Q.*H")

    def test_what_is_wrong_is_marked_by_signs(self):
        self.open("message_passing")
        marks = self.script("return [...document.querySelectorAll('#lanes0 .row')].sort((a, b) => a.dataset.row - b.dataset.row).map((r) => r.querySelector('.mark').textContent)")
        self.assertEqual(marks, ["", "", "!", "!", "", "!", "!", "!!"])  # #4 and #5: the sentence names them

    def test_what_the_sentences_name_is_marked_too(self):
        finding = findings.sample("lost_increment")
        for row in finding["findings"][0]["steps"]:
            row["marked"] = False
        finding["findings"][0]["why"] = ["It was #2, and #99, and #3x."]
        self.open("named", finding=finding)
        marked = self.script("return [...document.querySelectorAll('#lanes0 .row.marked')].map((r) => r.querySelector('.number').textContent).sort()")
        self.assertEqual(marked, ["2", "6", "7"])  # 6 and 7: the places

    def test_the_change_that_passes_is_shown_and_leads_to_its_steps(self):
        finding = findings.sample("lost_increment")
        finding["findings"][0]["near"] = "passes if #3 comes after #5 <b>"
        self.open("near", finding=finding)
        self.assertEqual(self.text("#near"), "passes if #3 comes after #5 <b>")
        self.element("#near button, #near a").click()
        self.assertEqual(self.address(), "step=3")
        finding["findings"][0]["near"] = ""
        self.open("far", finding=finding)
        self.assertEqual(self.script("return document.querySelectorAll('#near').length"), 0)

    def test_texts_lie_over_empty_lanes_rather_than_break(self):
        finding = findings.long_finding(40)
        for row in finding["findings"][0]["steps"]:
            row["text"] = "message from parent: thirty chars"
        finding["fixed"] = findings.sample("quota_across_await")["fixed"]
        self.open("squeezed", finding=finding)
        boxes = self.script("""const edge = document.getElementById('lanes0').getBoundingClientRect().right;
            return [...document.querySelectorAll('#lanes0 .row .box')].map((b) => [b.querySelectorAll('.text').length, b.getBoundingClientRect().right <= edge, b.scrollWidth <= b.clientWidth])""")
        self.assertEqual([box for box in boxes if box != [1, True, True]], [])

    def test_light_and_dark_have_contrast(self):
        for scheme in ("light", "dark"):
            for name, address in (("quota_across_await", "#step=12"), ("lost_increment", "#finding=2&step=11"), ("message_passing", "#step=failure")):
                with self.subTest(scheme=scheme, page=name):
                    self.command("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": scheme}])
                    self.open(name, address)
                    time.sleep(0.2)
                    self.assertEqual(self.script(CONTRAST), [])
        dark = self.script("return getComputedStyle(document.body).backgroundColor")
        self.press("t")
        self.assertNotEqual(self.script("return getComputedStyle(document.body).backgroundColor"), dark)
        time.sleep(0.2)
        self.assertEqual(self.script(CONTRAST), [])


class Keyboard(Page):
    def test_everything_can_be_reached_and_used_without_a_mouse(self):
        self.open("lost_increment")
        reached = []
        for _ in range(60):
            self.press(Keys.TAB)
            name, seen, again = self.script("""const e = document.activeElement; const s = getComputedStyle(e);
                const again = e === document.body || e.reached; e.reached = true;
                return [e.id || e.textContent.trim().slice(0, 20), s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0, again]""")
            if again:
                break
            self.assertTrue(seen, f"the focus on {name} cannot be seen")
            reached.append(name)
        for name in ("1 data race", "2 invariant", "theme", "help-button", "3 calls", "replay", "copy", "first", "next", "slider", "find", "lanes0", "lanes1", "Text trace"):
            self.assertIn(name, reached)

    def test_lists_of_steps(self):
        self.open("lost_increment")
        self.script("document.getElementById('lanes1').focus()")
        self.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.assertEqual(self.address(), "step=3&side=fixed")
        option = self.script("const o = document.getElementById(document.activeElement.getAttribute('aria-activedescendant')); return [o.getAttribute('role'), o.getAttribute('aria-label'), o.getAttribute('aria-posinset'), o.getAttribute('aria-setsize')]")
        self.assertEqual(option[0], "option")
        self.assertIn("#3, Worker 1: update view[0]: 7 -> 8", option[1])
        self.assertEqual(option[2:], ["3", "9"])
        self.assertEqual(self.text("#live"), "", "it would be read out twice")
        self.script("document.activeElement.blur()")
        self.press("j")
        self.assertIn("#4, Worker 1: end", self.text("#live"))

    def test_help(self):
        self.open("lost_increment")
        self.press("?")
        self.assertTrue(self.element("#help").is_displayed())
        self.press("j")
        self.assertEqual(self.step(), "#1")
        self.press(Keys.ESCAPE)
        self.assertFalse(self.element("#help").is_displayed())

    def test_several_findings(self):
        self.open("lost_increment")
        self.assertEqual((self.text("#kind"), self.address()), ("data race", ""))
        self.press("2")
        self.assertEqual((self.text("#kind"), self.address()), ("invariant", "finding=2&step=1"))
        self.assertEqual(self.script("return [...document.querySelectorAll('#findings button')].map((b) => b.getAttribute('aria-current'))"), ["false", "true"])
        self.assertIn("4 switches", self.text("#least"))
        self.assertNotIn("fewer", self.text("#least"))
        self.press("9")
        self.assertEqual(self.text("#kind"), "invariant")
        self.element("#findings button").click()
        self.assertEqual(self.text("#kind"), "data race")
        self.assertIn("7 steps, 2 switches \u2014 no order of this execution has fewer", self.text("#least"))

    def test_other_keys_are_left_to_the_browser(self):
        self.open("lost_increment", "#step=3")
        for key in ("c", "t", "f", "s", Keys.ARROW_DOWN):
            ActionChains(self.browser).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()
        self.press("x")
        self.assertEqual(self.step(), "#3")


class OtherMedia(Page):
    def test_print(self):
        self.open("quota_across_await", "#step=12")
        self.script("addEventListener('beforeprint', () => { window.rows = document.querySelectorAll('#print tbody tr').length; })")
        import base64
        pdf = base64.b64decode(self.command("Page.printToPDF", printBackground=False)["data"])
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertEqual(self.script("return window.rows"), 17 + 11)
        self.assertEqual(self.script("return document.querySelectorAll('#print *').length"), 0)
        self.script("dispatchEvent(new Event('beforeprint'))")
        self.command("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        seen = self.script("return Object.fromEntries(['header', '#message', '#facts', '#replay', '#print', '#bar', '#main', '#copy', '#theme', '#text-trace'].map((s) => [s, document.querySelector(s).checkVisibility()]))")
        self.assertEqual(seen, {"header": True, "#message": True, "#facts": True, "#replay": True, "#print": True, "#bar": False, "#main": False, "#copy": False, "#theme": False, "#text-trace": False})
        self.assertEqual(self.script("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        row = self.script("return [...document.querySelectorAll('#print tbody tr')[11].cells].map((c) => c.textContent)")
        self.assertEqual(row, ["12", "", "! quota.set(42, 0)", "", "", "remaining=0 admitted=1", "quota_across_await.cpp:48"])
        self.assertEqual(self.script("return getComputedStyle(document.querySelector('#print thead')).display"), "table-header-group")

    def test_a_long_print_has_pages(self):
        self.open("long1000", finding=findings.long_finding(1000))
        import base64
        pdf = base64.b64decode(self.command("Page.printToPDF")["data"])
        self.assertGreater(len(re.findall(rb"/Type\s*/Page\b", pdf)), 10)

    def test_the_text_trace(self):
        self.open("quota_across_await")
        pre = self.element("#text-trace pre")
        self.assertFalse(pre.is_displayed())
        self.element("#text-trace summary").click()
        self.settle()
        self.assertTrue(pre.is_displayed())
        finding = findings.sample("quota_across_await")
        self.assertTrue(self.text("#text-trace pre").startswith(finding["findings"][0]["trace"]))
        self.assertIn(finding["fixed"]["trace"], self.text("#text-trace pre"))
        self.script("document.querySelector('#text-trace pre').focus()")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.step(), "#1", "keys scroll the text")

    def test_without_scripts(self):
        self.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.get("about:blank")
            self.open_plain("lost_increment")
            shown = self.element("body").text
        finally:
            self.command("Emulation.setScriptExecutionDisabled", value=False)
        for text in ("counter = 7 + increments", "store view[0] = 8", "REPLAY weft replay lost_increment/plain"):
            self.assertIn(text, shown)

    def open_plain(self, name):
        if name not in self.pages:
            path = os.path.join(self.folder, name + ".html")
            subprocess.run([WEFT, "show", os.path.join(findings.DATA, name + ".json"), "--html", path], check=True, timeout=60)
            self.pages[name] = path
        self.browser.get("file://" + self.pages[name])


class Hostile(Page):
    def test_texts_that_are_markup_are_texts(self):
        finding = findings.markup_finding()
        self.open("markup", finding=finding)
        for number, one in enumerate(finding["findings"], 1):
            self.press(str(number))
            self.assertEqual(self.text("#message"), findings.shown(one["message"]))
            self.assertEqual(self.text("#kind"), findings.shown(one["kind"]))
            self.assertEqual(self.script("return document.getElementById('replay').value"), re.sub("[\r\n]", "", findings.shown(one["replay"])))
            for row in one["steps"]:
                self.assertEqual(self.text("#step-text"), findings.shown(row["text"]))
                self.press("j")
        self.press("/", *"script", Keys.ENTER, Keys.ESCAPE, "f", "j", "s", "m", "?", Keys.ESCAPE)
        ActionChains(self.browser).move_to_element(self.element("#lanes1 .row .box")).perform()
        time.sleep(0.5)
        self.script("dispatchEvent(new Event('beforeprint'))")
        self.assertIsNone(self.script("return window.broken === undefined ? null : window.broken"))
        self.assertEqual(self.script("return document.scripts.length"), 2)
        self.assertEqual(self.script("return document.querySelectorAll('img, [onerror], [onmouseover]').length"), 0)
        self.assertTrue(self.browser.title.startswith("</title></style></script>"))

    def test_without_scripts_as_well(self):
        self.open("markup", finding=findings.markup_finding())
        self.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.get("file://" + self.pages["markup"])
            self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "img, noscript noscript")), 0)
            self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, ".plain pre")), 3)
        finally:
            self.command("Emulation.setScriptExecutionDisabled", value=False)

    def test_a_finding_without_steps(self):
        finding = findings.sample("message_passing")
        finding["findings"][0].update(steps=[], columns=[], places=[], why=[])
        self.open("empty", "#step=1", finding=finding)
        self.press("j", "s", "m", Keys.END, "f", "t")
        self.assertEqual(self.text("#position"), "no steps")
        self.assertIn("No steps were recorded", self.text("#panels"))

    def test_one_step(self):
        finding = findings.sample("message_passing")
        finding["findings"][0]["steps"] = finding["findings"][0]["steps"][:1]
        finding["findings"][0]["places"] = []
        self.open("one", finding=finding)
        self.press("j", "k", Keys.END)
        self.assertEqual(self.step(), "#1")

    def test_many_columns(self):
        finding = findings.long_finding(200)
        one = finding["findings"][0]
        one["columns"] = [{"name": f"worker {i}", "thread": i, "task": False} for i in range(60)]
        for i, row in enumerate(one["steps"]):
            row["column"] = i % 60
        self.open("columns", "#step=60", finding=finding)
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), 1440)
        row, lanes = self.box("#lanes0-59 .box"), self.box("#lanes0")
        self.assertGreaterEqual(row["left"], lanes["left"])
        self.assertLessEqual(row["right"], lanes["right"])


class Long(Page):
    def test_thousands_of_steps(self):
        begin = time.monotonic()
        self.open("long", finding=findings.long_finding(5000))
        self.assertLess(time.monotonic() - begin, 20)
        self.assertLess(self.script("return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"), 8000)

        def rows():
            return self.script("return document.querySelectorAll('#lanes0 .row').length")
        self.assertLess(rows(), 150)
        begin = time.monotonic()
        self.press(Keys.END)
        self.assertEqual(self.step(), "!!")
        self.press(*"k" * 50)
        self.assertEqual(self.step(), "#4951")
        self.assertLess(time.monotonic() - begin, 20)
        self.assertLess(rows(), 150)
        self.script("document.getElementById('lanes0').scrollTop = document.getElementById('lanes0').scrollHeight / 2")
        self.settle()
        seen = self.script("""const all = document.getElementById('lanes0').getBoundingClientRect();
            return [...document.querySelectorAll('#lanes0 .row')].filter((r) => { const b = r.getBoundingClientRect(); return b.bottom > all.top && b.top < all.bottom; }).map((r) => Number(r.dataset.row)).sort((a, b) => a - b)""")
        self.assertGreater(len(seen), 8)
        self.assertTrue(2000 < seen[0] < 3000, seen[0])
        self.assertEqual(seen, list(range(seen[0], seen[0] + len(seen))))
        self.assertLess(rows(), 150)
        self.script("location.hash = '#step=2500'")
        self.settle()
        self.assertEqual(self.step(), "#2500")
        # Watched values are those of the last change, however far back.
        finding = findings.long_finding(5000)
        last = [change for row in finding["findings"][0]["steps"][:2500] for change in row["changes"]][-1]
        self.assertEqual(self.state()["count"][0], last["value"])


if __name__ == "__main__":
    unittest.main()
