"""Many tables that report to one floor, from journals that real tables wrote.

The real table and its robot write the journals once (`make generate ONLY=floor-journals`). They are
replayed here at their real rate, at a multiple of it, or as fast as the floor takes them. This
package contains no code of the product: it reads a journal with the standard library, by the
published format, and encodes messages by the published envelope.
"""
