"""What a site adds to the formats of `bots.formats`: performances by its ratings, rehearsals, timetables, rules pages.

No Django here, and no state.
"""
