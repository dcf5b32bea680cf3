"""The state of a table and the commands it takes: values and messages, without behaviour."""
