"""`sabot run`: the table as one supervised service, measured and watched."""
