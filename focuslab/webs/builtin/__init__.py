"""The synthetic web that comes with the package, built from the inside out.

vocabulary (the words) -> plan (the numbers aimed at) -> structure (hosts and pages) -> quotas (how many
links of which class) -> links (their targets) -> lists (catalogues, where they are asked for) -> connectivity
(no page is lost) -> addresses (URLs) -> prose, layouts, render (a page_draft becomes HTML on demand) ->
faults (what else is wrong with a web). It may import pages and features. It must not know who crawls it: what
a page is about is decided here, and no classifier is asked.
"""
