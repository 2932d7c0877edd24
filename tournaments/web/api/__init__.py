"""The API under /api/v1/: shapes, addresses and refusals; rules live elsewhere (`tournaments.ledger.competitors`)."""
