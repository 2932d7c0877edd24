"""What guards the figures: whether the machine is quiet enough to take any, and whether one became worse."""
