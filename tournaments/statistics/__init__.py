"""What pages and programs are told beyond the standings: read from the ledger, each bounded, none of it stored."""
