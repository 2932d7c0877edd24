"""Prints the table of docs/measurements/final-runs.md (`errors`)."""

import importlib
import os

import django

if __name__ == "__main__":
    os.environ |= {"DJANGO_SETTINGS_MODULE": "tournaments.settings", "SECRET_KEY": "unused"}
    django.setup()  # for features, of which one is measured
    importlib.import_module("tests.tournaments.features.final_runs.errors").main()
