"""How the documentation is built: `sphinx-build -W -n -b html docs docs/_build/html`."""

from caesura import __version__

project = "caesura"
author = "the caesura authors"
version = release = __version__

extensions = ["myst_parser", "sphinx-mathjax-offline"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"caesura {__version__}"
html_show_copyright = False
html_show_sphinx = False
