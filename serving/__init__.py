"""hopsplit as a service: over HTTP with a page, and as tools of the Model Context Protocol."""
