"""What docs/ratings.md claims of the ratings, measured on simulated ladders of fresh seeds."""
