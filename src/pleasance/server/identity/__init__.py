"""Who somebody is: guests, accounts, passkeys, API tokens, and how often each may knock."""
