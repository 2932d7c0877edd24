"""A package, so that its browser ends with the last of its tests."""
