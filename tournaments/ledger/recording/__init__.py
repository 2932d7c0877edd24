"""Recording match reports in the ledger, and finding workers that diverge."""
