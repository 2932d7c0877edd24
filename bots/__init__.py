"""What a competitor uses: the wire protocol, the SDK, bundles, play at home, sample bots. Imports only the engine."""
