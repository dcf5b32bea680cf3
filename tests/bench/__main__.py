"""Run every benchmark and print its ratios. Figures are reported, never asserted: machines are noisy."""

from tests.bench import game

if __name__ == "__main__":
    game.main()
