"""casinomath: exact answers about casino table games."""

__version__ = "0.1.0"
