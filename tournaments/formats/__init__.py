"""Tournament formats as pure functions: `plan` of settings, entrants and results. No Django here, and no state."""
