"""Uploads, the upload check, drafts written in the browser, teams."""
