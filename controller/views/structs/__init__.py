"""What is sent, as structs: the parts of the views, the views of each audience, their messages."""
