"""Poison: what one hostile or careless person hands in while everybody else is served, and how long the others wait.

`giving` gives what the plan draws and holds each poison to its effect; `rows`, `envelopes`, `lies` and `lines` are the
poisons, by the way they come in, and `greedy` those that take what is everybody's; `bystanders` are the others, and
`waits` is what they saw.
"""
