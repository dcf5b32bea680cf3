"""The sink of tables' records: each batch is judged, committed, and only then answered."""
