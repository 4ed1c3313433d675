"""One file per side bet: its Rules and the verb evaluate, like the games'."""
