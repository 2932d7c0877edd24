"""The web server: one port, with asynchronous live streams, and Django on a pool of threads for everything else.

`wsgi_bridge` calls Django, `request_bodies` reads what clients send, `page_cache` keeps public answers for a while,
`event_streams` sends live events to browsers, which come from `tournaments.web.live.hub`.
"""
