"""The synthetic web that comes with the package."""
