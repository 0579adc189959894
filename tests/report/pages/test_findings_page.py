"""The page of a check has every finding, how much it matters, and all other checks."""

from helpers.reading import Page

from foldless.results import CheckedFinding, Finding, Findings, Impact


def test_the_page_has_everything(tmp_path):
    change = Impact(0.91, 0.74, -0.2, -0.1, "without it", "logistic-regression", 300)
    leak = CheckedFinding(Finding("FL011", "column <b> gives the label away", columns=["<b>"]), "issue", change)
    findings = Findings((leak,), {"FL001": "rare classes"}, {"FL006": "there is no pool"}, about="300 rows, 2 classes")
    path = findings.report(tmp_path / "check.html", made_by="foldless check train.csv")
    page = Page(path.read_text(encoding="utf-8"))
    for text in ("1 issue, 0 tips", "300 rows, 2 classes", "accuracy .91 → .74 without it", "-0.200 to -0.100"):
        assert text in page.text
    for text in ("FL001", "found nothing", "rare classes", "FL006", "there is no pool", "foldless check train.csv"):
        assert text in page.text
    assert "<b> gives" not in path.read_text(encoding="utf-8")


def test_a_page_without_findings(tmp_path):
    path = Findings(passed={"FL001": "rare classes"}).report(tmp_path / "check.html")
    assert "Nothing was found" in Page(path.read_text(encoding="utf-8")).text


def test_options_stay_on_one_line_and_text_stays_text(tmp_path):
    names = CheckedFinding(Finding("FL002", "<i>a</i>", remedy="take them as one with --merge-labels & <b>"), "tip")
    source = Findings((names,)).report(tmp_path / "check.html").read_text(encoding="utf-8")
    assert '<span class="option">--merge-labels</span> &amp; &lt;b&gt;' in source
    assert "&lt;i&gt;a&lt;/i&gt;" in source
