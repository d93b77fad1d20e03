"""focuslab: published focused crawlers side by side, on one loop, on the same web."""
