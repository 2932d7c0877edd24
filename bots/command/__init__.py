"""The competitor's command `boardroom`, made with Click and Rich, and the wheel that brings it."""
