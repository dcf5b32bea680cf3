"""The robot dealer at a demo's console: it sends the same commands by HTTP as the pages do.

It needs only the console's address: a demo publishes its accounts and PINs. At a table that is not
a demo it does nothing.
"""
