"""The table's connection to the floor: outgoing records and views, incoming orders and
documents."""
