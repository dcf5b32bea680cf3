"""Results of a bench for people: a deck's pass in sentences and as a picture, the report of a unit,
the comparison of two reports, and a capture as vectors. Data in, text out: no port and no clock."""
