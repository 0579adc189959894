"""Results as a notebook shows them, in a real browser: whole, and readable on light and on dark paper."""

import numpy as np
import pytest
from helpers.browser import NEEDS_BROWSER, SCHEMES, open_browser
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from foldless import FoldlessSearch, certify, quantify
from foldless.results import Shift
from foldless.results.shift import ShiftedColumn

STYLE = """
body { font: 14px/1.4 sans-serif; margin: 1em; background: #fff; color: #111 }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }
"""
# texts whose color is too near to that of the paper: WCAG asks for a ratio of 4.5, and 3 for large ones and pictures
FAINT = """
const parts = color => (color.match(/[\\d.]+/g) || []).map(Number);
const light = color => {
  const [r, g, b] = parts(color).slice(0, 3).map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
};
const paper = light(getComputedStyle(document.body).backgroundColor), faint = [];
for (const e of document.querySelectorAll('.mine p, .mine li, .mine td, .mine th, .mine svg text')) {
  const style = getComputedStyle(e), ink = light(e instanceof SVGElement ? style.fill : style.color);
  const ratio = (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
  if (e.checkVisibility() && ratio < 3) faint.push(`${e.textContent.slice(0, 40)} ${ratio.toFixed(1)}`);
}
return faint
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    X, y = make_classification(500, 8, n_informative=4, random_state=0)
    labels = np.where(y == 1, "yes", "no")
    model = LogisticRegression()
    search = FoldlessSearch(model, {"C": [0.01, 1, 100]}, random_state=0)
    search.fit(X[:80], labels[:80], X_unlabeled=X[80:])
    certificate = certify(model, X[:300], labels[:300], X_unlabeled=X[300:], param_grid={"C": [1]}, random_state=0)
    shares = quantify(model, X[:120], labels[:120], X_unlabeled=X[120:], random_state=0)
    column = ShiftedColumn("a column with a long name", "range of the middle 80 %", 1.0, 2.0, 0.001)
    shift = Shift(True, 0.001, 0.8, 0.001, 0.2, "a", 0.3, 0.5, 100, 1000, columns=(column,))
    results = (search, search.selection_, certificate, shares, shift)
    body = "".join(f'<div class="mine">{result._repr_html_()}</div>' for result in results)
    path = tmp_path_factory.mktemp("notebook") / "results.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{body}", encoding="utf-8")
    return path


@NEEDS_BROWSER
@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
def test_results_are_whole_and_readable(page, scheme, tmp_path):
    with open_browser(tmp_path) as browser:
        for width in (1280, 768):
            browser.open(page, width=width, scheme=scheme)
            assert browser.overflow() <= 0
            assert browser.cropped() == []
            assert browser.run(FAINT) == []
            assert browser.left_the_file() == []
