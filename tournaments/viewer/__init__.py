"""A match as people watch it: pictures, sentences, scores. No Django: everything follows from a replay's answers."""
