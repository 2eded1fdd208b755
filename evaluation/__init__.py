"""hopsplit.evaluation."""
