"""The synthetic web that comes with the package, built from the inside out.

vocabulary (the words) -> plan (the numbers aimed at) -> structure (hosts and pages) -> quotas (how many
links of which class) -> links (their targets) -> reach (no page is lost) -> addresses (URLs) -> prose,
layouts, render (HTML on demand) -> dirt (what else is wrong with a web).
"""
