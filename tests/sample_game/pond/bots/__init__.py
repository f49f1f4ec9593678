"""Players that know Pond."""
