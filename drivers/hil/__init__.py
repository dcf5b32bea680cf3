"""What a bench tells people: a deck's pass in sentences and as a picture, the report of a unit, two
reports beside each other, and a capture as vectors. Data in, text out: no port and no clock."""
