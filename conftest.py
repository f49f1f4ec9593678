"""What every test shares: hypothesis tries the same cases each time."""

import os
from importlib.util import find_spec

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# OpenSpiel is an extra; without it this cannot even be looked at for examples.
collect_ignore = [] if find_spec("pyspiel") else ["src/pleasance/players/openspiel.py"]
