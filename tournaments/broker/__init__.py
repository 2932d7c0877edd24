"""Message queues, heartbeats and the workers that are online. PostgreSQL is the source of truth; all here can be rebuilt."""
