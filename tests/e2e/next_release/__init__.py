"""A release to come: this one, and a migration that only adds, as docs/operating.md wants it."""
