"""How classifiers come to be: a topic's file, labels of a person, and what a review finds in them."""
