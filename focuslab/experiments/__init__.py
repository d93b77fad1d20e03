"""Crawls side by side, set against the truth: metrics, intervals, tables, figures and the report.

This is where the judge lives, after all crawling is done. It may import every other room but the command
line. What it finds goes into tables and figures, never back into a crawl.
"""
