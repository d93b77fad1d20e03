"""What judges pages and texts, and in `training` how it comes to be from labels, examples and terms.

Each classifier scores a page and a piece of text; `assessor` puts them together as a crawl sees them. It may
import pages, features and fetchers (examples must be read). It must not know strategies, webs or the truth.
"""
