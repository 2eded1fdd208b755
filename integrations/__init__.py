"""hopsplit in other frameworks, by their conventions: one module a framework, each behind an extra of its name."""
