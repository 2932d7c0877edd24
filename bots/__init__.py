"""What a competitor uses: the wire protocol, the SDK, bundles, play at home, sample bots, how a match is shown.

Imports only the engine."""
