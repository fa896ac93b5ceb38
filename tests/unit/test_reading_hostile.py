"""Whatever is given to be read: one clear error or models, in bounded time and memory, never another exception."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from karpenter_construct._reading.manifests import read_manifests
from karpenter_construct._reading.sources import NamedText, decode
from karpenter_construct._reading.yaml_tree import read_documents
from karpenter_construct.errors import SettingsError

ROOT = Path(__file__).parents[2]
MANIFESTS = ROOT / "tests/unit/manifests"
CORPUS = [(MANIFESTS / f"{name}.yaml").read_text(encoding="utf-8") for name in ("v1alpha5", "v1beta1", "v1")]

FEW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)


def problems(function, *given):
    """Calls a function that may only refuse what it is given, and gives the reasons."""
    try:
        function(*given)
    except SettingsError as error:
        return error.problems
    return None


def outcome(*given):
    """Reads, and finds models or reasons."""
    found = problems(read_manifests, *given)
    assert found is None or all(str(problem) for problem in found)
    assert found != ()


@FEW
@given(st.text())
def test_any_text(text):
    outcome(NamedText("<text>", text))


@FEW
@given(st.binary())
def test_any_bytes(content):
    if problems(decode, "file.yaml", content) is None:
        outcome(decode("file.yaml", content))


@FEW
@given(
    st.sampled_from(CORPUS),
    st.lists(
        st.tuples(
            st.integers(0, 4000),
            st.sampled_from([*"\n\t :-[]{}&*!|>'\"%@`#,?~0aeé", "<<: ", "- ", "\n\n---\n"]),
        )
    ),
)
def test_files_with_mistakes_of_typing(text, changes):
    for place, letters in changes:
        text = text[:place] + letters + text[place + 1 :]
    outcome(text)


@FEW
@given(st.sampled_from(CORPUS), st.integers(0, 4000), st.integers(0, 4000))
def test_files_that_lost_a_part(text, start, length):
    outcome(text[:start] + text[start + length :])


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=10),
    st.sampled_from(["Never", "5%", "1h"]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def leaves(value, path=()):
    """The paths of all values of a document."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))


def replaced(value, path, by):
    if not path:
        return by
    first, *rest = path
    if isinstance(value, dict):
        return {**value, first: replaced(value[first], rest, by)}
    return [replaced(item, rest, by) if index == first else item for index, item in enumerate(value)]


FILES = [[root.plain() for root in read_documents(text).roots] for text in CORPUS]
OBJECTS = [body for file in FILES for body in file]
PLACES = [(index, path) for index, body in enumerate(OBJECTS) for path in leaves(body)]


@settings(FEW, max_examples=150)
@given(st.sampled_from(PLACES), JSON)
def test_any_value_at_any_place(place, value):
    index, path = place
    outcome([replaced(OBJECTS[index], path, value)])


@settings(FEW, max_examples=60)
@given(st.sampled_from(PLACES), JSON)
def test_any_value_at_any_place_of_a_text(place, value):
    index, path = place
    outcome(NamedText("<text>", json.dumps(replaced(OBJECTS[index], path, value))))


@FEW
@given(JSON)
def test_any_object(value):
    outcome([value])


POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: p%s}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: %s
"""


@cache
def large() -> dict[str, str]:
    """Inputs by name: megabytes, so that only they have them who read them."""
    return {
        "many pools": "---\n".join(POOL % (n, "[{key: a, operator: In, values: [b]}]") for n in range(1000)),
        "many wrong pools": "---\n".join(POOL % (n, "5") for n in range(1000)),
        "many wrong requirements": POOL % ("", "[" + "{key: a, operator: Inn}," * 4500 + "]"),
        "many unknown fields": POOL % ("", "[]") + "".join(f"  f{n}: 1\n" for n in range(15_000)),
        "many values": "a: [" + "1," * 1_000_000 + "]",
        "many documents": "--- a\n" * 1_000_000,
        "many other kinds": "---\n".join(f"apiVersion: v1\nkind: Pod{n}\n" for n in range(9000)),
        "many keys that are one": "{" + "a: 1," * 300_000 + "}",
        "many anchors": "\n".join(f"a{n}: &a{n} x" for n in range(100_000)),
        "many tags": "- !!python/object/apply:os.system [ls]\n" * 20_000,
        "many comments": "# a\n" * 1_000_000,
        "many quotes": "'" * 2_000_001,
        "bomb": "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(
            f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        ),
        "bomb of merges": "a: &a {x: 1}\n"
        + "".join(
            f"{b}: &{b} {{<<: [{','.join([f'*{a}'] * 9)}]}}\n"
            for a, b in zip("abcdefgh", "bcdefghi", strict=True)
        ),
        "bomb of texts": f"a: &a {'x' * 1_000_000}\nb: [{','.join(['*a'] * 1000)}]\n",
        "deep lists": "[" * 1_000_000,
        "deep maps": "{a: " * 500_000,
        "deep blocks": "- " * 1_000_000,
        "long text": "a: '" + "b " * 1_000_000 + "'",
        "long number": "a: " + "9" * 2_000_000,
        "long name": (POOL % ("x" * 2_000_000, "[]")),
        "large": "a" * 20_000_000,
    }


PROGRAM = """
import gc, json, os, resource, sys
from pathlib import Path
from karpenter_construct._reading.manifests import read_manifests
from karpenter_construct.errors import SettingsError


def read(path):
    # Beyond this the process dies with a MemoryError: 200 MB of data, code of libraries aside.
    resource.setrlimit(resource.RLIMIT_DATA, (200 * 1024 * 1024, 200 * 1024 * 1024))
    # What grows with the square of its input would take minutes.
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    try:
        print("read", len(read_manifests(path).node_pools))
    except SettingsError as error:
        print("refused", len(error.problems))


# Each input has a process of its own, which finds the libraries loaded and ends without tidying them up.
gc.freeze()
for line in sys.stdin:
    path = Path(json.loads(line))
    child = os.fork()
    if child == 0:
        for stream, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(path.with_name(name), os.O_WRONLY | os.O_CREAT), stream)
        read(path)
        sys.stdout.flush()
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""


@pytest.fixture(scope="module")
def reader():
    """Reads a file in a new process within the limits; gives its status, and what it wrote to both streams."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def read(path):
            process.stdin.write(f"{json.dumps(str(path))}\n")
            process.stdin.flush()
            status = int(process.stdout.readline())
            return status, *(path.with_name(name).read_text() for name in ("stdout", "stderr"))

        yield read


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("many pools", "read 1000"),
        ("many wrong pools", "refused 100"),
        ("many wrong requirements", "refused 100"),
        ("many unknown fields", "refused 21"),
        ("many values", "refused 1"),
        ("many documents", "refused 1"),
        ("many other kinds", "refused 100"),
        ("many keys that are one", "refused 1"),
        ("many anchors", "refused 1"),
        ("many tags", "refused 100"),
        ("many comments", "read 0"),
        ("many quotes", "refused 1"),
        ("bomb", "refused 1"),
        ("bomb of merges", "refused 1"),
        ("bomb of texts", "refused 1"),
        ("deep lists", "refused 1"),
        ("deep maps", "refused 1"),
        ("deep blocks", "refused 1"),
        ("long text", "refused 3"),
        ("long number", "refused 3"),
        ("long name", "refused 1"),
        ("large", "refused 1"),
    ],
)
def test_large_input_takes_less_than_200_megabytes_and_ends(name, expected, tmp_path, reader):
    path = tmp_path / "input.yaml"
    path.write_text(large()[name], encoding="utf-8")
    assert reader(path) == (0, f"{expected}\n", "")
