"""Message queues, heartbeats and online workers. PostgreSQL is the source of truth; all of this can be rebuilt."""
