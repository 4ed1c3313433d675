"""Everything jitted: arrays and NamedTuples in, arrays out."""
