"""What a table waits for: the items, their order, and the requests that wait for a second person.

The order, first to last. It is decided in `order.agenda` and nowhere else:

1. **A request of the count or of a device**, while cards may be missing: a count that differs, the
   first card of a shoe, another unit, cards dealt by hand. The second person approves it.
2. **The count**, while cards may be missing. No fact about the cards holds before it is known.
3. **What a restart was.** Whether play was interrupted is not known before the answer.
4. **The open case**: its question, offer, card, decision or approval; then the **cases that are
   queued** behind it. A case can make a request moot, and most requests may not be carried out
   while one is open.
5. **A request that may be made while the table is held**: a correction, going on over a device,
   another unit, the shoe read again. It can end a hold, so it comes before the holds.
6. **The holds** of devices, of the machine and of the pit: those that only their device can end,
   then those that a person clears.
7. **Any other request**: closing over a differential, confirming cards, another shoe, deck sets.
   Like the command that asked for it, it is not carried out while anything holds the table.
8. **The next act of play.** While the table is closed it comes before 2 to 7, which wait until the
   table opens, but not before a request that is first as it is.

A command that ends an item (`approve`, `refuse`, `answer`, `decide`, `resume`, `enter_card`) ends
the first item of the agenda or is refused with what comes first. `count` ends the count wherever it
stands. A request ends without an answer only when its subject is gone, and a notice records that.
"""
