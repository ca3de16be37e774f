"""Statistics of resampled units: draws, intervals, paired tests, correlation.

Everything here is of arrays and knows nothing of rows. A unit is a document or a block of one; a
resample is a row of weights, and a product with a matrix of units × counts sums what was drawn.
"""
