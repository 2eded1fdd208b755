"""hopsplit.corpora."""
