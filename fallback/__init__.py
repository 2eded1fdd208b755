"""hopsplit.fallback."""
