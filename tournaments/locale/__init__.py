"""What pages say in other languages than English: a folder for each."""
