S He like cats .
A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0

S I am agree with you
A 1 3|||R:VERB|||agreed|||REQUIRED|||-NONE-|||0
