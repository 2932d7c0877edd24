"""The class that signs people in, by the path that sessions hold."""

from tournaments.core.accounts.second_factor import Passwords

__all__ = ["Passwords"]
