"""What both kinds of mutants raise."""


class NotChecked(Exception):
    """The mutant says nothing about the tests."""
