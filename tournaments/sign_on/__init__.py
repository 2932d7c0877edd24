"""Single sign-on: what a provider says about a person is checked here, and becomes a way into an account of ours."""
