"""Training the outlook of Sanssouci: self-play, fitting and calibration."""
