"""Who may do and see what: permissions, visibility, API tokens, the second factor, rate limits, quotas."""
