"""What pages and endpoints are made with."""
