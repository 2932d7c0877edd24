"""A fuzzer of the web server's front: odd requests and slow clients, drawn from a seed, while somebody looks at pages.

It talks to the loopback alone, from many of its addresses, as strangers would from theirs.
"""
