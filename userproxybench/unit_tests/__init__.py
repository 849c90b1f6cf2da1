"""AcCoRD's unit tests of user simulators: every user turn, six questions, yes, no or n/a.

`cases` makes the turns under test, `asking` puts one question to a model, `running` works through
all of them, `rates` counts, `purchases` scores what was bought or booked.
"""
