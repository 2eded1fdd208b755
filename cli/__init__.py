"""hopsplit.cli."""
