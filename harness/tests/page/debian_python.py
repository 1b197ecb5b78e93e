"""Debian's Python packages belong to Debian's Python, which need not be the one that CMake has found."""
import importlib.util
import os
import sys

DEBIAN_PYTHON = "/usr/bin/python3"


def restart_with(module):
    """Runs this program again under Debian's Python if only that can have the module."""
    if importlib.util.find_spec(module) is not None or not os.path.exists(DEBIAN_PYTHON):
        return
    if os.path.realpath(DEBIAN_PYTHON) != os.path.realpath(sys.executable):
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, "-B", *sys.argv])
