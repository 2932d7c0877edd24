"""What everything else stands on: errors, settings, broker, public log, accounts, notices, what features may offer."""
