"""A legal answer to every question, with references into it: what a bot in any language begins with."""

FIRST_ANSWERS = {"bid": '{"note":$notes.0}'}
