"""The games: rules, positions, questions, the referee, replays. Standard library only; imports no other room."""
