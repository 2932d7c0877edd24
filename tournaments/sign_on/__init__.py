"""Single sign-on: a provider's statement about a person is checked here, and signs in to one of our accounts."""
