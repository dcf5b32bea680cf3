"""Many tables that speak to one floor, from journals that real ones wrote.

Journals are made once, by the real table and its robot (`make floor-journals`), and replayed here
at their real rate, at a multiple of it, or as fast as the floor takes them. Nothing of the product
is in here: a journal is read with the standard library, by its published form, and what goes over
the wire is written out from the published envelope.
"""
