"""Reports of matches into the ledger, and workers that diverge."""
