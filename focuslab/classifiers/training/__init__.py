"""How classifiers come to be: a topic's file, labels of a person, and what a review finds in them.

Examples go in, fitted classifiers come out. It may import pages, features, fetchers and the classifiers
themselves. It must not know in which crawl they will be used, nor the truth they will be judged by.
"""
