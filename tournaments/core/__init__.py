"""What everything else of the site stands on."""
