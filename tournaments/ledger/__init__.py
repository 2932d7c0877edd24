"""From upload to rating: the one pipeline, with nothing optional in it."""
