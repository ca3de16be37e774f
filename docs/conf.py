"""How the documentation is built: `sphinx-build -W -n -b html docs docs/_build/html`."""

import tomllib
from pathlib import Path

from caesura import __version__

pyproject = tomllib.loads(
    (Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8")
)
repository = pyproject["project"]["urls"]["Repository"]
project = "caesura"
author = "the caesura authors"
version = release = __version__

extensions = ["myst_parser", "sphinx-mathjax-offline"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

html_theme = "furo"
html_theme_options = {
    "footer_icons": [
        {
            "name": "Repository",
            "url": repository,
            "html": "<svg viewBox='0 0 16 16' fill='currentColor' stroke-width='0' "
            "aria-hidden='true'><path d='M5.7 3.3 1 8l4.7 4.7 1.1-1.1L3.2 8l3.6-3.6zm4.6 0L9.2 "
            "4.4 12.8 8l-3.6 3.6 1.1 1.1L15 8z'/></svg>",
            "class": "",
        }
    ]
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_title = f"caesura {__version__}"
html_show_copyright = False
html_show_sphinx = False
