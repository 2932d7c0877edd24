"""What a site adds to `bots.formats`: performance ratings, simulated events, timetables, rules pages.

No Django here, and no state.
"""
