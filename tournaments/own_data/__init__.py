"""What is somebody's own: as one file to take away, and, when they go for good, erased."""
