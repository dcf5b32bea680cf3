"""The floor's PostgreSQL: its tables by migrations, months made ahead, who may do what, queries."""
