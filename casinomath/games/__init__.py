"""One file per table game: its Rules and the verbs evaluate, strategy, simulate."""
