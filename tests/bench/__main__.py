"""Run every benchmark and print its ratios, which are reported and never asserted."""

from tests.bench import console, devices, game, journal, pages, studio, table

if __name__ == "__main__":
    game.main()
    journal.main()
    table.main()
    studio.main()
    devices.main()
    pages.main()
    console.main()
