"""One browser for a file of tests of the app's page; each test begins on a blank page."""

import pytest
from helpers.browser import open_browser


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def browser(chromium):
    """The page of the last test asks its server, which has ended, until another page is opened."""
    chromium.driver.get("about:blank")
    return chromium
