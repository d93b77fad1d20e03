"""Where pages come from, with known truth."""
