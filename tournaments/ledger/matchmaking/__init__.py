"""Who meets whom: pairing, deals, seed chains, activation of versions, spot checks."""
