"""How the page looks and feels in a real browser: many classes, guide, long texts, columns, pictures, hints, target."""

import base64
import json

import numpy as np
import pandas as pd
import pytest
from helpers.app_page import ask, is_whole, press, text_of, until
from helpers.app_server import app_server, write_files
from helpers.browser import NEEDS_BROWSER

pytestmark = [NEEDS_BROWSER, pytest.mark.slow]
MODELS = ("--model", "naive-bayes", "--grid", "alpha=0.1,1")
FILES = ("train.csv", "--label", "topic", "--unlabeled", "pool.csv", *MODELS, "--batch", "8")
EVIL = "<img src=x onerror='window.pwned=1'>"
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
WIDE = 30  # numeric columns
ENTER, ESCAPE, DOWN = "\ue007", "\ue00c", "\ue015"
GUIDE = f"""# How to label

Read the **whole** text. {EVIL}

- **topic 0**: the first one
- `Öl & Gas` – smells

## topic 3

The *fourth* one, see [the wiki](https://example.org/wiki).
"""


@pytest.fixture(params=[(1280, "light"), (390, "dark")], ids=["desktop", "phone"])
def look(request):
    return dict(zip(("width", "scheme"), request.param, strict=True))


def run(browser, script, *arguments):
    return browser.run(f"const at = id => document.getElementById(id); {script}", *arguments)


def write_topics(folder, names, n_pool=40, **columns):
    """Texts whose words tell the topic; further columns are functions of the number of a row."""
    rng = np.random.default_rng(0)
    n_train = 2 * len(names)
    codes = np.r_[np.tile(np.arange(len(names)), 2), rng.integers(len(names), size=n_pool)]
    texts = [
        " ".join([*rng.choice([f"word{code}a", f"word{code}b", "the", "of"], 8), f"row{at}"])
        for at, code in enumerate(codes)
    ]
    frame = pd.DataFrame(
        {"text": texts, **{name: [make(at) for at in range(len(codes))] for name, make in columns.items()}}
    )
    frame[:n_train].assign(topic=[names[code] for code in codes[:n_train]]).to_csv(folder / "train.csv", index=False)
    frame[n_train:].to_csv(folder / "pool.csv", index=False)


def started(browser, server, look):
    browser.open(server.address, **look)
    until(browser, "Boolean(state.currentEntry())")


def given(browser, row):
    return until(
        browser,
        f"state.unanswered === 0 && sections.labels.given[{row}] !== undefined && [sections.labels.given[{row}]]",
    )[0]


TOPICS = (*(f"topic {at}" for at in range(12)), "Öl & Gas", "under water")


def test_many_classes_by_typing_arrows_and_recent_ones(browser, tmp_path, look):
    write_topics(tmp_path, TOPICS)
    with app_server(*FILES, cwd=tmp_path) as server:
        started(browser, server, look)
        classes = ask(browser, "sections.problem.classes")
        row = ask(browser, "state.currentEntry().row")
        press(browser, *"ol ")  # accents and case are left out
        assert ask(browser, "classes.matchingClasses().map(each => each.name)") == ["Öl & Gas"]
        press(browser, ENTER)
        assert classes[given(browser, row)] == "Öl & Gas"

        row = ask(browser, "state.currentEntry().row")
        assert run(browser, "return document.querySelector('#classes .recent') !== null")
        digit = ask(browser, "classes.matchingClasses().findIndex(each => each.name === 'Öl & Gas') + 1")
        assert 1 <= digit <= 9  # the class that was given has a digit now
        press(browser, str(digit))
        assert classes[given(browser, row)] == "Öl & Gas"

        row = ask(browser, "state.currentEntry().row")
        press(browser, *"topic 1")  # a digit that goes on with a name is part of it
        assert run(browser, "return at('filter').value") == "topic 1"
        assert ask(browser, "classes.matchingClasses().map(each => each.name)") == ["topic 1", "topic 10", "topic 11"]
        assert run(browser, "return [...document.querySelectorAll('#classes kbd')].map(e => e.textContent)") == [
            "2",
            "3",
        ]
        press(browser, DOWN, DOWN)
        marked = run(browser, "return at(at('filter').getAttribute('aria-activedescendant')).textContent")
        assert "topic 10" in marked
        press(browser, ENTER)
        assert classes[given(browser, row)] == "topic 10"

        row = ask(browser, "state.currentEntry().row")
        press(browser, *"/under", ENTER)  # u alone undoes
        assert classes[given(browser, row)] == "under water"
        assert run(browser, "return at('classes').getAttribute('role')") == "listbox"
        is_whole(browser)


def test_likely_classes_come_first_only_for_those_who_want_it(browser, tmp_path, look):
    write_topics(tmp_path, TOPICS)
    with app_server(*FILES, cwd=tmp_path) as server:
        started(browser, server, look)
        press(browser, "g")
        until(browser, "sections.rounds.length === 1 && !state.isRacing() && state.openEntries().length === 8")
        assert ask(browser, "sections.hints") == {
            "on": {"likely": False, "words": False}, "likely": {}, "words": {},
        }  # fmt: skip
        assert ":" not in text_of(browser, "why")  # and the reason names no class
        assert run(browser, "return document.querySelector('#classes .likely')") is None
        press(browser, "L")
        row = ask(browser, "state.currentEntry().row")
        likely = until(browser, f"(sections.hints.likely[{row}] || []).length && sections.hints.likely[{row}]")
        assert ask(browser, "classes.matchingClasses().slice(0, 5).map(each => each.name)") == likely[:5]
        assert not run(browser, "return at('hint-remark').hidden")
        press(browser, "1")
        assert ask(browser, "sections.problem.classes")[given(browser, row)] == likely[0]
        browser.driver.refresh()  # this browser still wants it
        until(
            browser,
            "Boolean(state.currentEntry() && sections.hints && classes.matchingClasses()[0].group === 'likely')",
        )
        is_whole(browser)


def test_words_of_the_leading_class_are_marked_on_request(browser, tmp_path):
    write_topics(tmp_path, ("red", "green", "blue"))
    with app_server(*FILES, cwd=tmp_path) as server:
        started(browser, server, {})
        press(browser, "V")
        assert "Off by default" in text_of(browser, "view")
        assert not run(browser, "return at('hints-note').hidden || at('words').checked")
        press(browser, "V", "g")
        until(browser, "sections.rounds.length === 1 && !state.isRacing() && state.openEntries().length === 8")
        assert run(browser, "return document.querySelectorAll('mark').length") == 0
        text = text_of(browser, "row")
        press(browser, "W")
        until(browser, "sections.hints.on.words && document.querySelectorAll('mark').length > 0")
        words = run(browser, "return [...document.querySelectorAll('mark')].map(e => e.textContent)")
        assert all(word.startswith("word") for word in words if word not in ("the", "of"))
        assert any(word.startswith("word") for word in words)
        assert text_of(browser, "row") == text
        is_whole(browser)


def test_the_guide_is_a_drawer_and_its_html_stays_text(browser, tmp_path, look):
    write_topics(tmp_path, TOPICS)
    (tmp_path / "guide.md").write_text(GUIDE, encoding="utf-8")
    with app_server(*FILES, "--guide", "guide.md", cwd=tmp_path) as server:
        started(browser, server, look)
        press(browser, "G")
        assert run(browser, "return at('guide').checkVisibility() && document.activeElement.id") == "guide-title"
        assert EVIL in text_of(browser, "guide-text")
        assert run(browser, "return at('guide').querySelectorAll('img, a, script').length") == 0
        inline = "return [...at('guide-text').querySelectorAll('strong, em, code')].map(e => e.textContent)"
        assert run(browser, inline) == ["whole", "topic 0", "Öl & Gas", "fourth"]
        assert "the wiki (https://example.org/wiki)" in text_of(browser, "guide-text")
        said = run(
            browser,
            "return Object.fromEntries([...document.querySelectorAll('.guide-class')].map(e =>"
            " [e.querySelector('h4').textContent,"
            " [e.querySelector('p')?.textContent, e.querySelectorAll('li').length]]))",
        )
        assert said["topic 0"] == ["the first one", 2]
        assert said["topic 3"] == ["The fourth one, see the wiki (https://example.org/wiki).", 2]
        assert said["Öl & Gas"] == ["smells", 2]
        row = ask(browser, "state.currentEntry().row")
        press(browser, "1")  # labels go on beside it
        given(browser, row)
        press(browser, ESCAPE)
        assert not run(browser, "return at('guide').checkVisibility()")
        is_whole(browser)


def test_a_guide_that_is_not_there_is_said(tmp_path):
    from click.testing import CliRunner

    from foldless.cli import main

    write_topics(tmp_path, ("a", "b"))
    asked = CliRunner().invoke(main, ["app", str(tmp_path / "train.csv"), "--label", "topic", "--guide", "absent.md"])
    assert asked.exit_code == 2
    assert "absent.md" in asked.output


def test_long_texts_wide_tables_json_and_addresses(browser, tmp_path, look):
    numbers = {f"m{at:02}": lambda row, at=at: row + at / 100 for at in range(WIDE)}
    write_topics(
        tmp_path, ("a", "b"), n_pool=12,
        essay=lambda at: f"begin {at} " + f"word{at % 3} of a long 😀 text " * 900 + "end",
        details=lambda at: json.dumps({"order": at, "items": [1, {"evil": EVIL}]}),
        link=lambda at: f"https://example.org/{at}?a=b", **numbers,
    )  # fmt: skip
    with app_server(*FILES, cwd=tmp_path) as server:
        started(browser, server, look)
        folded = text_of(browser, "row")
        assert "more characters" in folded
        assert len(folded) < 6000
        assert '\n  "items": [' in run(browser, "return document.querySelector('#row pre').textContent")
        assert EVIL in folded
        assert run(browser, "return at('row').querySelectorAll('a, img').length") == 0
        assert "7 more columns" in folded or "more column" in folded
        press(browser, ".")
        whole = text_of(browser, "row")
        assert whole.count("of a long") > 800 // 2  # up to 20,000 characters are sent
        assert "m29" in whole
        assert "more columns" not in whole
        press(browser, ".")
        assert text_of(browser, "row") == folded
        press(browser, "V")
        radio = "document.querySelector(`input[data-column='${arguments[0]}'][value=${arguments[1]}]`).click()"
        run(browser, radio, "m28", "pinned")
        run(browser, radio, "m03", "hidden")
        press(browser, ESCAPE)
        for _ in range(2):
            assert "m28" in run(browser, "return document.querySelector('#row .pinned').textContent")
            assert "m03" not in text_of(browser, "row")
            assert "1 column hidden" in text_of(browser, "row")
            browser.driver.refresh()  # it is kept
            until(browser, "Boolean(state.currentEntry())")
        is_whole(browser)


def test_pictures_of_the_folder_and_of_the_column(browser, tmp_path, look):
    (tmp_path / "pictures").mkdir()
    content = base64.b64decode(PIXEL)
    (tmp_path / "pictures" / "a b.png").write_bytes(content)
    (tmp_path.parent / "outside.png").write_bytes(content)
    write_topics(
        tmp_path, ("a", "b"), photo=lambda _: "pictures/a b.png", scan=lambda _: f"data:image/png;base64,{PIXEL}",
        outside=lambda _: "../outside.png",
    )  # fmt: skip
    with app_server(*FILES, cwd=tmp_path) as server:
        started(browser, server, look)
        widths = "[...document.querySelectorAll('#row img')].map(e => e.complete && e.naturalWidth)"
        until(browser, f"{widths}.length === 2 && {widths}.every(width => width === 1)")
        assert run(browser, "return [...document.querySelectorAll('#row figcaption')].map(e => e.textContent)") == [
            "photo",
            "scan",
        ]
        assert "base64" not in text_of(browser, "row")
        is_whole(browser)
        server.close()
        assert server.ask("/picture?path=pictures/a%20b.png", Cookie="")[0] == 401
        for name in (
            "../outside.png",
            "..%2foutside.png",
            "%2e%2e/outside.png",
            "train.csv",
            "/etc/passwd",
            "pictures",
        ):
            assert server.ask(f"/picture?path={name}")[0] == 404, name
        assert server.ask("/picture?path=pictures/a%20b.png", Host="evil.example")[0] == 421


def test_every_action_has_a_key_and_help_shows_it(browser, tmp_path, look):
    write_topics(tmp_path, ("a", "b", "c"))
    with app_server(*FILES, cwd=tmp_path) as server:
        started(browser, server, look)
        without = run(
            browser,
            "return [...document.querySelectorAll('button, summary, input[type=checkbox]')]"
            ".filter(e => !e.hasAttribute('aria-keyshortcuts')"
            " && !e.closest('#classes, #models, dialog .head, #guide .head, form, .column-line, li, #noting'))"
            ".map(e => e.outerHTML)",
        )
        assert without == []
        keys = run(browser, "return [...document.querySelectorAll('[data-key]')].map(e => e.dataset.key)")
        assert len(keys) == len(set(keys))
        press(browser, "?")
        assert run(browser, "return at('help').open")
        shown = run(browser, "return [...document.querySelectorAll('#help-keys tr')].map(e => e.innerText)")
        assert len(shown) == len(keys) + 1
        assert all(width > 10 for width, _ in browser.boxes("#help-keys kbd"))
        assert len(browser.boxes("#help-keys kbd")) > len(keys)
        assert browser.overflow() == 0
        row = ask(browser, "state.currentEntry().row")
        press(browser, "1")  # not while the keys are read
        assert ask(browser, "state.currentEntry().row") == row
        press(browser, "?")
        assert not run(browser, "return at('help').open")
        press(browser, "1")
        assert given(browser, row) == 0
        is_whole(browser)


def test_a_screen_reader_hears_what_was_saved_and_the_next_row(browser, tmp_path):
    write_topics(tmp_path, ("ham", "spam"))
    with app_server(*FILES, cwd=tmp_path) as server:
        started(browser, server, {})
        until(browser, "document.getElementById('spoken').textContent.startsWith('Next row: ')")
        row = ask(browser, "state.currentEntry().row")
        press(browser, "2")
        given(browser, row)
        text = ask(browser, "state.currentEntry().texts[0][1]")
        until(browser, "document.getElementById('spoken').textContent.startsWith('Saved as spam.')")
        assert text[:60] in text_of(browser, "spoken")
        assert run(browser, "return at('spoken').getAttribute('aria-live')") == "polite"
        press(browser, "u")
        until(browser, "document.getElementById('spoken').textContent.startsWith('Undone.')")
        run(browser, "at('class-1').focus()")
        row = ask(browser, "state.currentEntry().row")
        press(browser, ENTER)  # by Tab and Enter, without digits
        assert given(browser, row) == 1
        assert run(browser, "return document.activeElement.id") == "class-1"
        named = run(
            browser,
            "return [...document.querySelectorAll('button, input, select, [role=region], dialog, aside')].filter(e =>"
            " !(e.ariaLabel || e.textContent.trim() || e.labels?.length || e.getAttribute('aria-labelledby')"
            " || e.id === 'all' || e.id === 'go')).map(e => e.outerHTML)",
        )
        assert named == []


CONTRAST = """
const shade = color => {
  const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const paper = e => {
  for (let at = e; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (!/, 0\\)$|transparent/.test(color)) return color;
  }
  return "rgb(255, 255, 255)";
};
return [...document.querySelectorAll("body *")].filter(e => e.checkVisibility() && !e.closest("svg, :disabled")
  && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())).map(e => {
  const [a, b] = [shade(getComputedStyle(e).color), shade(paper(e))].sort((x, y) => y - x);
  return [(a + 0.05) / (b + 0.05), e.tagName + " " + e.id + " " + e.className + " " + e.textContent.slice(0, 30)];
}).filter(([ratio]) => ratio < 4.5);
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_and_thumbs_have_room(browser, tmp_path, scheme):
    write_topics(tmp_path, TOPICS)
    (tmp_path / "guide.md").write_text(GUIDE, encoding="utf-8")
    with app_server(*FILES, "--guide", "guide.md", cwd=tmp_path) as server:
        started(browser, server, {"width": 390, "scheme": scheme})
        press(browser, "g")
        until(browser, "sections.rounds.length === 1 && !state.isRacing() && state.openEntries().length === 8")
        assert browser.run(CONTRAST) == []
        for key in ("G", ESCAPE, "V"):
            press(browser, key)
            assert browser.run(CONTRAST) == [], key
        press(browser, "V")
        sizes = run(
            browser,
            "return [...document.querySelectorAll('#labeling button, header button, .actions button')]"
            ".filter(e => e.checkVisibility()).map(e => [e.id || e.textContent, e.getBoundingClientRect().height])",
        )
        assert [each for each in sizes if each[1] < 44] == []


def test_the_target_and_the_forecast_are_shown(browser, tmp_path, look):
    write_files(tmp_path, n_pool=80)
    truth = json.loads((tmp_path / "truth.json").read_text())
    options = ("train.csv", "--label", "label", "--unlabeled", "pool.csv", *MODELS, "--batch", "20")
    with app_server(*options, cwd=tmp_path) as server:
        started(browser, server, look)
        assert not run(browser, "return at('enough').checkVisibility()")  # there is no estimate yet
        for entry in ask(browser, "sections.batch"):
            assert server.label(entry["row"], truth[entry["row"]])
        press(browser, "g")
        until(browser, "sections.rounds.length === 1 && !state.isRacing()")
        assert text_of(browser, "verdict") == "Not yet"
        assert "at least 0.9 with 95 %" in text_of(browser, "verdict-why")
        assert "is not known" in text_of(browser, "forecast")
        assert "target 0.9" in text_of(browser, "narrowing")
        press(browser, "T")
        fill = "for (const [id, value] of Object.entries(arguments[0])) at(`target-${id}`).value = value;"
        run(browser, fill + "at('target-form').querySelector('button').click()", {"accuracy": 0.6, "rows": 30})
        until(browser, "sections.target.is_chosen && sections.target.accurate")
        assert "fewer than 30 rows: " in text_of(browser, "few-rows")  # the accuracy alone is not enough
        assert text_of(browser, "verdict") == "Not yet"
        run(browser, fill + "at('target-form').querySelector('button').click()", {"accuracy": 0.6, "rows": 3})
        until(browser, "document.getElementById('verdict').textContent === 'Enough'")
        assert browser.cropped() == [] or look["width"] == 390  # a table scrolls where the page is narrow
        is_whole(browser)
        server.close()  # the line was idle for long, and the server has hung up
        assert server.ask("/do/aim", {"accuracy": 2, "confidence": 0.9, "per_class": 1})[0] == 409
