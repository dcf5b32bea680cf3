"""Hardware-in-the-loop tools for one device without a table: watch, deck test, enrolment."""
