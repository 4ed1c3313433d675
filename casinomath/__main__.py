"""`python -m casinomath` is the command line."""

import sys

from casinomath.cli import main

sys.exit(main())
