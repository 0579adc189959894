"""The report in a real browser: wide and narrow, light and dark, with kind and with hostile strings."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from helpers.browser import NEEDS_BROWSER, SCHEMES, SIZES, open_browser
from helpers.selections import HOSTILE, comparison, grid, hostile, selection
from sklearn.naive_bayes import GaussianNB

from foldless import evaluate, quantify
from foldless.core.certificate import Certificate, Term
from foldless.results.prevalence import Prevalence

pytestmark = [NEEDS_BROWSER, pytest.mark.slow]


def _reports():
    pairs = [{"C": 10.0**a, "gamma": 10.0**b} for a in range(6) for b in range(5)]
    certificate = Certificate("error", 0.21, 0.95, "tail inversion", ("rows are independent",))
    lost = {"failed": (1,), "unfinished": (5,), "certificate": certificate, "stopped": "interrupted"}
    curve = selection(*grid(8), splits=5, classes=tuple("abcdefghij"), **lost)
    yield "curve", curve
    yield "certified", replace(curve, certificate=replace(certificate, terms=(Term("error", 0.2, 0.1, 60, 0.05),)))
    yield "heat-map", selection(pairs, list(np.random.default_rng(0).random(30)))
    yield "bars", selection([{"a": n, "b": n % 3, "c": n % 5} for n in range(60)], list(np.linspace(0, 1, 60)))
    yield "comparison", comparison({f"k_fold(k={k})": selection(*grid(8, k)) for k in range(5)}, test=True)
    yield "hostile", hostile()
    yield (
        "hostile-comparison",
        comparison({name: hostile() for name in HOSTILE}, unable={"un" + HOSTILE[0]: HOSTILE[5]}),
    )
    yield "large", selection(*grid(2000), classes=tuple(f"class {n}" for n in range(1500)))


def _counted():
    """Shares of two classes, and of a pool in parts."""
    X = np.random.default_rng(0).normal(size=(120, 2))
    y = np.where(X[:, 0] + X[:, 1] > 0.3, "a class with a long name", "another class")
    model, months = GaussianNB(), np.repeat(["2026-01", "2026-02", "2026-03", "2026-04"], 20)
    yield "shares", quantify(model, X[:40], y[:40], X_unlabeled=X[40:], random_state=0)
    yield "shares-by-month", quantify(model, X[:40], y[:40], X_unlabeled=X[40:], by=months, random_state=0)
    yield "evaluation", evaluate(model.fit(X[:40], y[:40]), X[40:], y[40:], random_state=0)


REPORTS = dict(_reports()) | dict(_counted())
PICTURES = {"comparison": 1, "hostile-comparison": 1, "certified": 3} | dict.fromkeys(
    ("shares", "shares-by-month", "evaluation"), 1
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    opened = tmp_path_factory.mktemp("reports")
    for name, result in REPORTS.items():
        result.report(opened / f"{name}.html", made_by="foldless select " + HOSTILE[0] + HOSTILE[5], about=HOSTILE[:3])
    return opened


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.parametrize("name", REPORTS)
def test_it_looks_right_at_four_widths_in_two_schemes(browser, folder, name):
    browser.open(folder / f"{name}.html")
    for width, scheme in product(SIZES, SCHEMES):
        browser.resize(width, scheme=scheme)
        _looks_right(browser, name, width, scheme)
    assert browser.console() == []
    assert browser.left_the_file() == []


def _looks_right(browser, name, width, scheme):
    assert browser.run("return document.documentElement.clientWidth") == width
    assert browser.overflow() == 0
    if "hostile" not in name:  # no table has a part that is only seen by scrolling
        wide = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)"
        assert browser.run(f"return {wide}.map(e => e.ariaLabel)") == []
        assert name == "large" or browser.cropped() == [], (width, scheme)
    drawn = browser.boxes("figure svg")
    assert len(drawn) == PICTURES.get(name, 2)
    assert all(w > 200 and h > 100 for w, h in drawn)
    assert max(w for w, _ in drawn) <= width
    # text on its paper, in the scheme asked for
    ink, paper = (_lightness(browser, at) for at in ("color", "backgroundColor"))
    assert (paper > 0.9 and ink < 0.3) if scheme == "light" else (paper < 0.15 and ink > 0.7)


@pytest.mark.parametrize("by", [None, "day"])
def test_class_shares_look_right(browser, tmp_path, by):
    groups = ("all",) if by is None else tuple(f"2026-01-{day:02}" for day in range(1, 13))
    shares = np.random.default_rng(0).dirichlet([4, 2, 1], len(groups))
    found = Prevalence(
        np.array(["ham", "spam", HOSTILE[0]]), shares, shares * 0.8, shares * 1.2, np.full(len(groups), 400), groups,
        np.array([0.5, 0.3, 0.2]), 0.95, "map", ("rows are independent",), by=by, n_labels=200, notes=(HOSTILE[5],),
    )  # fmt: skip
    page = found.report(tmp_path / "shares.html", made_by="foldless quantify")
    for width in (1280, 390):
        browser.open(page, width=width)
        assert (browser.console(), browser.left_the_file(), browser.overflow()) == ([], [], 0)
        ((wide, high),) = browser.boxes("figure svg")
        assert 200 < wide <= width
        assert high > 100
        assert browser.run("return document.querySelectorAll('main table tbody tr').length") == 3 * len(groups)
        assert "spam" in browser.run("return document.querySelector('figure').textContent")
        assert browser.run("return typeof window.pwned") == "undefined"


@pytest.mark.parametrize("name", ["hostile", "hostile-comparison"])
def test_hostile_strings_stay_text(browser, folder, name):
    browser.open(folder / f"{name}.html")
    assert browser.run("return typeof window.pwned") == "undefined"
    assert browser.run("return document.querySelectorAll('img, iframe, object').length") == 0
    assert browser.run("return document.scripts.length") == 1
    assert HOSTILE[0] in browser.run("return document.body.textContent")
    titles = browser.run("return [...document.querySelectorAll('[title]')].map(e => e.title.length)")
    assert max(titles) >= 10_000  # the whole of a shortened name can be read


def test_the_checks_can_fail(browser, tmp_path):
    page = tmp_path / "bad.html"
    page.write_text(
        "<div style='width: 3000px'>wide</div><svg width=40 height=40><text x=30 y=20>cut</text><text x=32 y=20>over"
        "</text></svg><img src='https://example.invalid/x.png'>"
        "<script>window.pwned = 1; console.error('loud')</script>"
    )
    browser.open(page, width=390)
    assert browser.run("return typeof window.pwned") == "number"
    assert browser.overflow() > 0
    assert {each.split(":")[0] for each in browser.cropped()} == {
        "past the window", "past the picture", "one over the other",
    }  # fmt: skip
    assert any("loud" in line for line in browser.console())
    assert any("example.invalid" in url for url in browser.left_the_file())


def test_a_script_that_got_in_would_not_run(browser, folder, tmp_path):
    html = (folder / "curve.html").read_text(encoding="utf-8")
    broken = tmp_path / "broken.html"
    broken.write_text(html.replace("<h1>", "<script>window.pwned = 1</script><h1 onclick='window.pwned = 1'>"))
    browser.open(broken).run("document.querySelector('h1').click()")
    assert browser.run("return typeof window.pwned") == "undefined"
    assert any("Content Security Policy" in line for line in browser.console())


def _column(browser, at):
    rows = "[...document.querySelectorAll('main > section table tbody tr')]"
    return browser.run(f"return {rows}.map(row => row.cells[arguments[0]].innerText)", at)


def _numbers(cells):
    return [float(cell) for cell in cells if re.fullmatch(r"[-\d.e]+", cell)]


def test_the_table_sorts_by_click(browser, folder):
    from selenium.webdriver.common.by import By

    browser.open(folder / "curve.html")
    buttons = browser.driver.find_elements(By.CSS_SELECTOR, "main > section table thead button")
    assert [button.text for button in buttons][:3] == ["rank", "C", "ranking score ↑"]
    assert _column(browser, 0) == ["1", "2", "3", "4", "5", "6", "–", "–"]
    for press, sorted_as, sign in ((1, "ascending", 1), (2, "descending", -1)):
        buttons[2].click()
        assert browser.run("return document.querySelectorAll('main > section th')[2].ariaSort") == sorted_as, press
        cells = _column(browser, 2)
        numbers = _numbers(cells)
        assert numbers == sorted(numbers, key=lambda n: sign * n)
        assert cells[-2:] == ["–", "–"]  # without a score: last, whatever the direction
        assert len(numbers) == 6
    assert browser.run("return document.querySelectorAll('main > section th[aria-sort]').length") == 1
    buttons[1].click()
    assert _numbers(_column(browser, 1)) == sorted(_numbers(_column(browser, 1)))
    buttons[4].click()
    assert _column(browser, 4)  # words sort too
    assert browser.console() == []


@pytest.mark.parametrize("key", ["ENTER", "SPACE"])
def test_the_table_sorts_by_keyboard(browser, folder, key):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.open(folder / "curve.html", width=390)
    for _ in range(40):  # walk there as a user without a mouse does
        ActionChains(browser.driver).send_keys(Keys.TAB).perform()
        if browser.run("return document.activeElement.innerText") == "ranking score ↑":
            break
    before = _numbers(_column(browser, 2))
    ActionChains(browser.driver).send_keys(getattr(Keys, key)).perform()
    assert browser.run("return document.activeElement.closest('th').ariaSort") == "ascending"
    assert _numbers(_column(browser, 2)) == sorted(before)
    assert before != sorted(before)


def test_a_printed_comparison_is_as_wide_as_the_paper(browser, folder):
    browser.open(folder / "comparison.html", width=718, media="print")  # A4 without its margins
    assert browser.overflow() == 0
    assert browser.run("return document.querySelectorAll('main table').length") > 0


def test_it_prints_in_light_colors_and_without_buttons(browser, folder):
    browser.open(folder / "curve.html", scheme="dark", media="print")
    assert _lightness(browser, "backgroundColor") > 0.9
    assert all(w > 200 and h > 100 for w, h in browser.boxes("figure svg"))
    mark = "return getComputedStyle(document.querySelector('th button'), '::after').content"
    assert browser.run(mark) == "none"


def test_figures_take_the_colors_of_the_scheme(browser, folder):
    colors = set()
    for scheme in SCHEMES:
        browser.open(folder / "curve.html", scheme=scheme)
        colors.add(browser.run("return getComputedStyle(document.querySelector('figure svg text')).fill"))
    assert len(colors) == 2


def _lightness(browser, what):
    color = browser.run("return getComputedStyle(document.body)[arguments[0]]", what)
    return sum(map(float, re.findall(r"[\d.]+", color)[:3])) / 3 / 255
