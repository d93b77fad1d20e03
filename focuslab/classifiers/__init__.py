"""What judges pages and texts while a crawl runs."""
