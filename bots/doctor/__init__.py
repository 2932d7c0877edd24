"""What `boardroom check` does: sits a bot down in many positions, and judges what it saw."""
