"""The crawl loop, the only one, with its frontier, its flights and its log; `live` is what the real web adds.

Links go in, visits come out. It may import every room above it in the order of the data, strategies included.
It must not know any web or its truth: simulation, replay and live HTTP differ in what they plug in.
"""
