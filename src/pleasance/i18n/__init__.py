"""Message catalogs in three languages, and the ICU MessageFormat patterns they use."""
