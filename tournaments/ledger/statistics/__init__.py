"""Statistics beyond the standings, for pages and the API: read from the ledger with bounded cost, and not stored."""
