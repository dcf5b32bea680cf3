"""Pure rules: hands, table of play, wagers, settlement, decided wagers, odds. No I/O, no clock."""
