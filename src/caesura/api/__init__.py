"""caesura from Python."""
