"""The engine: beliefs, values and policies of nested models, of any game of the protocol."""
