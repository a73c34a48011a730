"""Internet Chess Server endpoints for Kriegspiel (wild 16): a client, a server, and their wire."""
