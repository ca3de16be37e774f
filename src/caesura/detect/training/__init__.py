"""The training of detectors; the only part of caesura that imports PyTorch."""
