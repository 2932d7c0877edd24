"""How each game is observed and answered: a module for each, with a function `parts`."""
