"""Many tables that report to one floor, from journals that real tables wrote.

The real table and its robot write the journals once (`make generate ONLY=floor-journals`). They are
replayed here at their real rate, at a multiple of it, or as fast as the floor takes them. Nothing
of the product is in here: a journal is read with the standard library, by its published form, and
what goes over the wire is written out from the published envelope.
"""
