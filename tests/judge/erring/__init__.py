"""A robot that errs: a dealer who makes every mistake, at the product's table in memory."""
