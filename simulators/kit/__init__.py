"""What emulated devices are made of: contract, settings, cards, the pile and the exit of a shoe."""
