"""Practice: unrated games. A person plays against bots, continues a match from a moment, or tries a draft.

`start` creates practices, `turns` continues them, `reports` processes workers' reports, and `seats` says who may play.
"""
