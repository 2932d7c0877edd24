"""The web server's front: one port, at which live streams are asynchronous and all else is Django on a pool of threads.

`bridge` calls Django, `bodies` takes in what clients send, `sharing` is a small cache of answers that all may see,
`streams` sends live events to browsers; `hub` gathers these from the broker, `screening` plays the matches.
"""
