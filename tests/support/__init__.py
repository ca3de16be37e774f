"""What several tests use: random input, slow twins of the measures, corpora and servers."""
