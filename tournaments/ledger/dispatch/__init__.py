"""Which waiting matches go to which workers: leases, the queue, fair share, orders."""
