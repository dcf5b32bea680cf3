"""Sixty faults of the product, planted one at a time, and the test that notices each.

`python -m planted` (with `PYTHONPATH=tests`) runs them; `runner.py` says how.
"""
