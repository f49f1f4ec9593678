"""Identity: guests, accounts, passkeys, sessions, access tokens, rate limits, personal data."""
