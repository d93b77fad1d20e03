"""What can be counted on a page or a link: one kind of feature, one file.

Functions and small tables that turn pages into numbers, each with the paper that uses it. It may import
`focuslab.pages`. It must not know labels, classifiers or crawls.
"""
