"""The planner of Sanssouci: a hand-written evaluation with tuned weights."""
