"""What shows each game to people and plays it: a package for each."""
