"""The console's server: it reads the board and the journal, and asks through the desk.

Nothing in here touches a device or the table's machine; pages are files under `static/`.
"""
