"""Samples under the names by which those of v0.2 imported each other: bots that were uploaded keep their imports."""
