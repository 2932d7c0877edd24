"""Environments for research: observations as tensors, answers as numbers, for PettingZoo, Gymnasium and OpenSpiel.

    from bots.environments.aec import env              PettingZoo
    from bots.environments.gym import SeatEnv          Gymnasium
    from bots.environments.batch import Batch          many matches at once, over several cores
    import bots.environments.spiel                     OpenSpiel: pyspiel.load_game("boardroom_zaibatsu")

docs/environments.md has it all. Nothing else of the kit imports this room; NumPy and these packages are extras.
"""
