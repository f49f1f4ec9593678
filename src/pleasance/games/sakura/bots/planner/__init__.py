"""The planner of Sakura: a hand-written evaluation with tuned weights."""
