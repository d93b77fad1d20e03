"""A URL to a Response, over the network; a fetcher wraps another, as in ``Polite(Recorder(Http(), path))``.

Sockets, robots.txt, delays, records on the disk, and threads or a process that fetch many at a time. It may
import `focuslab.pages`. It must not know what a page is worth, nor who asked for it.
"""
