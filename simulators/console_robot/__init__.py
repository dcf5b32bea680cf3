"""The robot dealer at a demo's console: the same words by HTTP that people's pages send.

It knows the console's address and nothing else: who can sign in there, and with which PIN, a demo
tells everybody. At a table that is no demo it does nothing.
"""
