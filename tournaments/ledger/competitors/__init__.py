"""Uploads, the upload check, a version's states."""
