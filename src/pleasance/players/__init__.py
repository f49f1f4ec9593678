"""Players: functions from a view to a choice, for any game; `registry` lists the built-in ones."""
