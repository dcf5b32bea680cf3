"""The console's server: it reads snapshots and the journal and sends requests to the table's
client.

Nothing in here touches a device or the table's machine; pages are files under `static/`.
"""
