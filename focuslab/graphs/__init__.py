"""A web read once, as arrays, and crawled many times by compiled kernels.

`graph` holds the arrays, `survey` and `gather` fill them, `simulate` crawls them. It may import every room
above it: the crawl loop reads the web, and a kernel is the twin of a strategy. It must not know comparisons
or figures.
"""
