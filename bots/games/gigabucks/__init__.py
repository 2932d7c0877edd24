"""Corporate Gigabucks for people and bots: its board, its log, its answer forms, its samples and its rungs."""
