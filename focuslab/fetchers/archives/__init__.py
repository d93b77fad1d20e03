"""The great archives of the web as fetchers: Common Crawl and the Wayback Machine, asked once and kept.

service (how servers are asked) -> captures (what a line of an index says) -> zipped_index, index_server (two
ways to look a URL up) -> cabinet (what is kept) -> archived, common_crawl, wayback (a URL to a Response) ->
named (by a name on the command line). It may import the fetchers around it and pages. It must not know what
a crawl is, nor any topic.
"""
