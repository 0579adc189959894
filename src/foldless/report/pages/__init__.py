"""Results as HTML pages, each one self-contained file; importing this registers what draws each class of results."""

from foldless.report.pages import _evaluation_page, _findings_page, _notebook, _page, _prevalence_page

__all__ = ["_evaluation_page", "_findings_page", "_notebook", "_page", "_prevalence_page"]
