"""What operators look at: health, metrics, requests by their ids, errors and spans told elsewhere."""
