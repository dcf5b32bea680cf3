"""Enrolment of tables: the site's certificate authority, and the permissions at its broker."""
