"""pytest plugin (`-p tests.servers`): real servers for the whole run, before Django reads its settings."""
