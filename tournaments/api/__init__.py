"""The API under /api/v1/: shapes, addresses and refusals; the rules are the verbs' (`tournaments.competitors.uploads`)."""
