"""The card of a match, as a picture. What people watch is in `bots.viewer`, which needs nothing of a site."""
