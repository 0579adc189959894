"""How the documentation is built; nothing is fetched from the network."""

import os
import sys
from pathlib import Path

import foldless

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(Path(__file__).parent / "_ext"))
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

project = "foldless"
author = "the foldless contributors"
release = version = foldless.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "myst_parser",
    "numpydoc",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "from_code",
]
exclude_patterns = ["_*"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# examples write into a folder of their own; those of quantifiers, results and labeling import no names of their module
doctest_global_setup = """
import os, tempfile
os.chdir(tempfile.mkdtemp())
import numpy as np
from foldless.quantifiers import *
from foldless.quantifiers.protocols import *
from foldless.quantifiers.share_errors import *
from foldless.labeling import *
from foldless.portfolio import names
from foldless.results import *
from foldless.tables import FileOptions
"""

highlight_language = "text"
default_role = "py:obj"
autodoc_typehints = "none"
numpydoc_show_class_members = False
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = "foldless"
html_static_path = ["_static"]
html_css_files = ["foldless.css"]
html_show_sourcelink = False
html_copy_source = False
html_context = {"default_mode": "auto"}
html_sidebars = {page: [] for page in ("index", "command_line", "contributing", "changelog")}
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navigation_with_keys": False,
    "show_prev_next": False,
    "footer_start": ["release"],
    "footer_center": [],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}


def _changed() -> bool:
    """Whether the package is newer than the pages, so that what the gallery shows may be out of date."""
    page = ROOT / "build" / "docs" / "index.html"
    newest = max(path.stat().st_mtime for path in (ROOT / "src").glob("**/*.py"))
    return not page.exists() or newest > page.stat().st_mtime


sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"^(?!.*plot_).*\.py$",
    "run_stale_examples": _changed(),
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "remove_config_comments": True,
    "reset_modules": ("matplotlib",),
}
