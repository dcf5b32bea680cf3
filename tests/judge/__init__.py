"""An independent judge: what the five rule documents say of a round, written from them alone.

Nothing here comes from the product, and a test checks it. `erring` is the robot that
plays at the product's table, errs on purpose and compares what the table rules with what is said
here.
"""
