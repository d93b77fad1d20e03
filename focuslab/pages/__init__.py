"""Bytes to a Page: addresses, character sets, HTML, words and languages.

A Response goes in and a `Page` comes out, whatever its bytes are; everything here is bounded. It may import
`focuslab.types` and nothing else of ours. It must not know where pages come from, nor what they are worth.
"""
