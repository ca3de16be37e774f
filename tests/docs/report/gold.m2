S He like cats .
A 1 2|||R:VERB:SVA|||likes|||REQUIRED|||-NONE-|||0

S I am agree with you
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||0
