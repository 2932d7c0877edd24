"""The API under /api/v1/: shapes, addresses and refusals; rules live in the rooms (`tournaments.competitors`)."""
