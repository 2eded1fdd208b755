"""`python -m hopsplit.cli` is `hopsplit`."""

from .main import main

main()
