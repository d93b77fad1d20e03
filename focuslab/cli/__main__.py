"""``python -m focuslab.cli``: the same commands where the script is not on the path."""

import sys

from focuslab.cli import main

sys.exit(main())
