"""Who meets whom: pairing, deals, seed chains, trials, friendlies, spot checks."""
