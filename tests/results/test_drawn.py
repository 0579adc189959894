"""Results find what draws them through one door, and know nothing of it before."""

import subprocess
import sys

import pytest

from foldless.report import pages
from foldless.results import Comparison, Evaluation, Prevalence, Selection, StreamShares
from foldless.results import _drawn as drawn

NOTHING_DRAWN = """
import sys
import foldless.results, foldless.selection, foldless.streams
print([name for name in sys.modules if name.startswith("foldless.report")])
"""


@pytest.mark.slow
def test_results_are_imported_without_the_report():
    done = subprocess.run([sys.executable, "-c", NOTHING_DRAWN], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("kind", [Selection, Comparison, Evaluation, Prevalence])
def test_each_class_has_a_page_and_a_summary(kind):
    for draw in (drawn.page, drawn.summary):
        assert kind in draw.registry, f"{pages.__name__} registers it"


@pytest.mark.parametrize("kind", [Prevalence, StreamShares])
def test_shares_have_a_plot_and_a_picture(kind):
    assert kind in drawn.plot.registry
    assert kind in drawn.write_picture.registry


def test_what_draws_a_class_draws_those_that_derive_from_it(tmp_path):
    class Result:
        pass

    class Special(Result):
        pass

    @drawn.page.register(Result)
    def page(result, *, made_by=None):
        return f"{type(result).__name__} by {made_by}"

    assert drawn.write_page(Special(), tmp_path / "page.html", made_by="me").read_text() == "Special by me"
    with pytest.raises(TypeError, match="no summary of a Special"):
        drawn.summary(Special())
