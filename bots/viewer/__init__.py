"""A match as people watch it: pictures, sentences, scores. The site and the kit show it: all follows from a replay."""
