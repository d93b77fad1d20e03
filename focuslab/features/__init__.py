"""What classifiers look at."""
