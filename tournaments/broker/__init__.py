"""Message queues, heartbeats and the workers that are online. PostgreSQL is the truth; all here can be rebuilt."""
