"""Parts of emulated devices: contract, settings, cards, the pile and the exit of a shoe."""
