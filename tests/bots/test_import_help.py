"""What a bot is told that imports what is not there."""

import pytest

from bots.import_help import import_help, own_modules

FILES = ["bot.py", "helper.py", "tables/__init__.py", "tables/worth.bin", "src/deep.py", "notes.txt"]


def missing(module: str) -> str:
    return f"ended with exit code 1: ModuleNotFoundError: No module named '{module}'\nIt used 0.02 s"


@pytest.mark.parametrize(
    ("module", "language", "words"),
    [
        (
            "pandas",
            "python",
            (
                "There is no module pandas: a bot in Python may import the standard library, engine, bots.sdk, "
                "bots.imagine, bots.rungs, and"
            ),
        ),
        (
            "torch.nn",
            "numpy",
            (
                "a bot in Python with NumPy may import the standard library, engine, bots.sdk, bots.imagine, "
                "bots.rungs, numpy, and"
            ),
        ),
        (
            "sklearn",
            "onnx",
            "bots.imagine, bots.rungs, numpy, onnxruntime, and its own modules: bot, helper, src, tables.",
        ),
        ("helpers", "python", "There is no module helpers; did you mean helper?"),
        ("Helper", "numpy", "There is no module Helper; did you mean helper?"),
        ("table.worth", "python", "There is no module table; did you mean tables?"),
        ("numpy", "python", 'There is numpy for a bot with language = "numpy" in its bot.toml.'),
        ("onnxruntime", "numpy", 'There is onnxruntime for a bot with language = "onnx" in its bot.toml.'),
    ],
)
def test_a_missing_module_is_answered_by_what_there_is(module: str, language: str, words: str) -> None:
    assert words in str(import_help(missing(module), language, FILES))


@pytest.mark.parametrize(
    ("name", "module", "words"),
    [
        ("Bidd", "engine.games.zaibatsu", "There is no Bidd in engine.games.zaibatsu; did you mean Bid"),
        ("plays", "bots.sdk", "did you mean play"),
        ("Zzzzzzzz", "engine.games.kaiju", "engine.games.kaiju has "),
    ],
)
def test_a_missing_name_of_ours_is_answered_by_those_there_are(name: str, module: str, words: str) -> None:
    complaint = f"ImportError: cannot import name '{name}' from '{module}' (/code/x.py)"
    answer = str(import_help(complaint, "python", FILES))
    assert words in answer
    assert len(answer) < 250


@pytest.mark.parametrize(
    "complaint",
    [
        "ended with exit code 1: ZeroDivisionError: division by zero",
        "ImportError: cannot import name 'x' from 'os' (unknown location)",
        "ImportError: cannot import name 'x' from 'helper' (/bot/helper.py)",
        "ModuleNotFoundError: No module named '../../etc'",
        f"ModuleNotFoundError: No module named '{'x' * 500}'",
        "",
    ],
)
def test_of_anything_else_nothing_is_said(complaint: str) -> None:
    assert import_help(complaint, "python", FILES) is None


def test_other_languages_have_no_modules_of_python() -> None:
    assert import_help(missing("pandas"), "javascript", ["bot.js"]) is None


def test_many_own_modules_are_counted() -> None:
    assert own_modules(FILES) == ["bot", "helper", "src", "tables"]
    answer = str(import_help(missing("pandas"), "python", [f"m{number}.py" for number in range(30)]))
    assert answer.endswith(" and 22 more.")
