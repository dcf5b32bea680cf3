"""Many tables of one site in one place: their records kept and checked, seen and steered."""
