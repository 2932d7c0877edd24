"""The filter, run here instead of by the kernel: what it answers to every system call, on both kinds of machine."""

import errno
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.sandbox.seccomp import (
    ALLOW,
    ALWAYS,
    AUDIT_ARCHITECTURE,
    CHECKED,
    EXECUTING,
    FORBIDDEN,
    FORKING,
    KILL,
    KILLING,
    MISSING,
    OF_ONESELF,
    PAIRS,
    PIPES,
    PURE,
    PURE_CHECKED,
    REFUSE,
    WRITING,
    Policy,
    compile_filter,
)
from workers.sandbox.syscalls import KNOWN

MACHINES = sorted(KNOWN)
POLICIES = [
    Policy(threads=True, writing=True, killing=True, executing=True, forking=True),
    Policy(threads=True, writing=True, killing=True, executing=True, alone=True),
    Policy(threads=True, writing=True, killing=True),
    Policy(threads=False, writing=False, killing=False),
    Policy(threads=False, writing=False, killing=False, pure=True),
]
FREE = [
    f"{ALWAYS} {WRITING} {KILLING} {EXECUTING} {FORKING} {PIPES} execve mmap".split(),
    f"{ALWAYS} {WRITING} {KILLING} {EXECUTING} execveat futex".split(),
    f"{ALWAYS} {WRITING} {KILLING} mmap".split(),
    f"{ALWAYS} mmap".split(),
    f"{PURE} mmap".split(),
]
FLAGGED = {"futex": (1, 128, REFUSE | errno.EAGAIN), "mmap": (3, 0x20, FORBIDDEN)}
CLONES = [{0x3D0F00, 0x7D0F00, 0x1200011, 0x4111, 17}, {0x3D0F00, 0x7D0F00}, {0x3D0F00, 0x7D0F00}, set(), set()]
WORD = st.integers(0, 2**32 - 1)
ARGUMENTS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 64), min_size=6, max_size=6)


def answer(program: bytes, number: int, architecture: int, arguments: list[int]) -> int:
    """Return what the kernel would do: its own small machine, as far as the filter uses it."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *arguments)
    index = loaded = 0
    while True:
        code, if_true, if_false, operand = struct.unpack_from("HBBI", program, index * 8)
        index += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("<I", data, operand)
            case 0x15:
                index += if_true if loaded == operand else if_false
            case 0x35:
                index += if_true if loaded >= operand else if_false
            case 0x45:
                index += if_true if loaded & operand else if_false
            case 0x05:
                index += operand
            case 0x06:
                return int(operand)
            case _:
                raise AssertionError(f"the filter has an instruction {code:#x} that it should not need")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("policy", "free", "clones"),
    list(zip(POLICIES, FREE, CLONES, strict=True)),
    ids=["program", "alone", "widest", "narrowest", "pure"],
)
@settings(max_examples=10, deadline=None)  # each tries every number there is
@given(arguments=ARGUMENTS)
def test_exactly_the_listed_calls_are_answered(
    machine: str, policy: Policy, free: list[str], clones: set[int], arguments: list[int]
) -> None:
    program, numbers = compile_filter(policy, machine), KNOWN[machine]
    checked = {
        name: CHECKED[name]
        for name in (PURE_CHECKED if policy.pure else CHECKED)
        if name not in PAIRS or (policy.executing and not policy.alone)
    } | ({"clone": {0: tuple(clones)}} if clones else {})
    expected = {numbers[name]: refusal for name, refusal in policy.refused().items() if name in numbers}
    expected |= {numbers[name]: ALLOW for name in free if name in numbers}
    for name, values in checked.items():
        fits = all(arguments[place] % 2**32 in allowed for place, allowed in values.items())
        expected[numbers[name]] = ALLOW if fits else MISSING if name in OF_ONESELF else FORBIDDEN
    for name in FLAGGED.keys() - set(free):
        place, bit, refusal = FLAGGED[name]
        expected[numbers[name]] = ALLOW if arguments[place] & bit else refusal
    for number in range(600):
        assert answer(program, number, AUDIT_ARCHITECTURE[machine], arguments) == expected.get(number, MISSING)


@pytest.mark.parametrize("machine", MACHINES)
@given(number=WORD, architecture=WORD, arguments=ARGUMENTS)
def test_a_foreign_architecture_is_killed(machine: str, number: int, architecture: int, arguments: list[int]) -> None:
    if architecture != AUDIT_ARCHITECTURE[machine]:
        assert answer(compile_filter(POLICIES[0], machine), number, architecture, arguments) == KILL


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(0x40000000, 2**32 - 1))
def test_a_number_of_the_x32_kind_is_killed(machine: str, number: int) -> None:
    assert answer(compile_filter(POLICIES[0], machine), number, AUDIT_ARCHITECTURE[machine], [0] * 6) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_every_checked_combination_is_allowed(machine: str) -> None:
    program, numbers = compile_filter(POLICIES[0], machine), KNOWN[machine]
    for name, values in POLICIES[0].checked().items():
        for choice in range(max(map(len, values.values()))):
            arguments = [0] * 6
            for place, allowed in values.items():
                arguments[place] = allowed[choice % len(allowed)]
            assert answer(program, numbers[name], AUDIT_ARCHITECTURE[machine], arguments) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_no_two_calls_share_a_number(machine: str) -> None:
    assert len(set(KNOWN[machine].values())) == len(KNOWN[machine])
