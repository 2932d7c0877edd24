"""A match's preview image. The viewer itself is in `bots.viewer`, which does not need a site."""
