"""YAML as trees of nodes that know their lines, within limits."""

from __future__ import annotations

import pytest

from karpenter_construct._reading import yaml_tree
from karpenter_construct._reading.unreadable import UnreadableYaml
from karpenter_construct._reading.yaml_tree import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_DOCUMENTS,
    read_documents,
)


def plain(text):
    return [None if root is None else root.plain() for root in read_documents(text).roots]


def refused(text):
    with pytest.raises(UnreadableYaml) as caught:
        read_documents(text)
    return caught.value.line, caught.value.message


def test_documents_are_told_apart():
    assert plain("a: 1\n---\nb: [x, 'y']\n---\n---\nc: {d: ~}\n") == [
        {"a": 1},
        {"b": ["x", "y"]},
        None,
        {"c": {"d": None}},
    ]


def test_text_without_documents_has_none():
    assert plain("") == []
    assert plain("# only a comment\n") == []


def test_json_is_yaml():
    assert plain('{\n\t"a": [1, true, null, "x\\ty"]\n}\n') == [{"a": [1, True, None, "x\ty"]}]


def test_keys_and_items_know_their_lines():
    root = read_documents("a: 1\n\nb:\n  - x\n  -\n    c: 2\n").roots[0]
    assert root.line == 1
    assert root.key_lines == {"a": 1, "b": 3}
    assert [item.line for item in root.value["b"].value] == [4, 6]
    assert root.value["b"].value[1].key_lines == {"c": 6}


def test_quoted_words_are_text():
    assert plain("a: 'no'\nb: \"1e3\"\nc: |\n  08\nd: >-\n  true\n") == [
        {"a": "no", "b": "1e3", "c": "08\n", "d": "true"}
    ]


def test_words_keep_how_they_were_written():
    root = read_documents("a: no\n").roots[0]
    assert (root.value["a"].value, root.value["a"].written) == (False, "no")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!!str 5", "5"),
        ("! 5", "5"),
        ("!!int 5", 5),
        ("!!int '5'", 5),
        ("!!float 5", 5),
        ("!!bool yes", True),
        ("!!null ''", None),
        ("!!map {a: 1}", {"a": 1}),
        ("!!seq [1]", [1]),
    ],
)
def test_tag_of_the_core_schema_is_followed(text, value):
    assert plain(f"a: {text}") == [{"a": value}]


def test_alias_stands_for_what_the_anchor_marks():
    assert plain("a: &x {b: 1}\nc: *x\nd: [*x]\n") == [{"a": {"b": 1}, "c": {"b": 1}, "d": [{"b": 1}]}]


def test_merge_adds_what_is_not_there():
    text = "a: &x {b: 1, c: 2}\nd: &y {e: 3}\nf:\n  <<: *x\n  c: 4\ng:\n  <<: [*x, *y]\n"
    assert plain(text)[0]["f"] == {"c": 4, "b": 1}
    assert plain(text)[0]["g"] == {"b": 1, "c": 2, "e": 3}


def test_whole_numbers_as_keys_are_text():
    assert plain("a: {5: x}") == [{"a": {"5": "x"}}]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'{"a": "\ud83d\ude00\uD83D\uDE00"}', "\U0001f600\U0001f600"),
        (r'{"a": "\\\ud83d\ude00"}', "\\\U0001f600"),
        (r'{"a": "\\ud83d\\ude00"}', r"\ud83d\ude00"),
        (r"a: '\ud83d\ude00'", r"\ud83d\ude00"),
    ],
)
def test_pairs_of_escapes_are_one_character_in_json_only(text, value):
    assert plain(text) == [{"a": value}]


def test_first_comment_is_found():
    assert read_documents("a: 1\nb: 2 # here\n").comment == 2
    assert read_documents("a: |\n  x\n# here\nb: 1\n").comment == 3


def test_hash_in_a_value_is_no_comment():
    text = "a: |\n  #!/bin/sh\n  # not here\nb: 'x # y'\nc: x#y\nd: \"z\n  # w\"\n"
    assert read_documents(text).comment is None


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: 1\nb: [1\n", 2, "is not YAML: while parsing a flow sequence, did not find expected ',' or ']'"),
        ("a: 1\n b: 2\n", 2, "is not YAML: mapping values are not allowed in this context"),
        ("a:\n\tb: 1\n", 2, "has a tab where YAML takes spaces only"),
        ("a: 1\nb: \0\n", 2, "has the character U+0000, which YAML forbids"),
        ("a: \ud800\n", 1, "has the character U+D800, which YAML forbids"),
        ("%YAML 9.9\n---\na: 1\n", 1, "is not YAML: found incompatible YAML document"),
        ("a: *x\n", 1, "has the alias *x, but no anchor &x above it"),
        ("---\na: &x 1\n---\nb: *x\n", 4, "has the alias *x, but no anchor &x above it"),
        ("a: &x\n  b: [*x]\n", 2, "has the alias *x inside what it stands for"),
        ("? [a]\n: b\n", 1, "has a key that is no word, which JSON lacks; write a word"),
        ("~: b\n", 1, "has a key that is no word, which JSON lacks; write a word"),
        (
            "{{- if .x }}\na: 1\n{{- end }}\n",
            1,
            "is a template, has '{{'; render it first, as with helm template",
        ),
        ("a: 1\nb: {{ .x }}\n", 2, "is a template, has '{{'; render it first, as with helm template"),
        (
            "a: 1\n{{ toYaml .x | indent 4 }}\n",
            2,
            "is a template, has '{{'; render it first, as with helm template",
        ),
        (
            "a: '{{ .x }}'\nb: [1\n",
            2,
            "is not YAML: while parsing a flow sequence, did not find expected ',' or ']'",
        ),
        (
            '{"a": "\\ud83d"}',
            1,
            "is not YAML: while parsing a quoted scalar, found invalid Unicode character escape code",
        ),
        ("a: {<<: 5}\n", 1, "merges with << what is no mapping"),
    ],
)
def test_fails_at_the_line_of(text, line, message):
    assert refused(text) == (line, message)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("a: 1\nb: 2\na: 3\n", [(3, "has the key 'a' twice, first on line 1")]),
        ("a: 1\n'a': 2\n", [(2, "has the key 'a' twice, first on line 1")]),
        ("a: {on: 1}\n", [(1, "has the key on, which YAML reads as true; write 'on'")]),
        ("a: {08: 1}\n", [(1, "has the key 08, which YAML reads as 8; write '08'")]),
        ("a: .inf\n", [(1, "has the number .inf, which JSON cannot hold")]),
        (
            "a: !!binary aGk=\n",
            [(1, "has the tag tag:yaml.org,2002:binary, which does not fit 'aGk='; leave it out")],
        ),
        ("a: !!int x\n", [(1, "has the tag tag:yaml.org,2002:int, which does not fit 'x'; leave it out")]),
        ("a: !mine {}\n", [(1, "has the tag !mine, which Kubernetes does not know; leave it out")]),
        (
            "- !!python/object/apply:os.system ['true']\n",
            [
                (
                    1,
                    "has the tag tag:yaml.org,2002:python/object/apply:os.system, which Kubernetes does not know; "
                    "leave it out",
                )
            ],
        ),
    ],
)
def test_fails_and_reads_on_after(text, problems):
    assert read_documents(text).problems == problems


def test_limit_of_characters():
    assert plain("#" * MAX_CHARACTERS) == []
    assert refused("#" * (MAX_CHARACTERS + 1)) == (1, "has 4194305 characters, more than 4194304; split it")


def test_limit_of_documents():
    assert len(plain("--- a\n" * MAX_DOCUMENTS)) == 10_000
    assert refused("--- a\n" * (MAX_DOCUMENTS + 1)) == (10_001, "has more than 10000 documents; split it")


def test_limit_of_depth():
    assert len(plain("[" * MAX_DEPTH + "]" * MAX_DEPTH)) == 1
    assert refused("[" * 65 + "]" * 65) == (1, "is nested more than 64 levels deep")
    assert refused("[" * 100_000)[1] == (
        "is not YAML: while increasing flow level, exceeded maximum nesting depth"
    )


TOO_MUCH = "holds more than any set of node objects does, counting aliases; split it"


def test_limit_of_all_values_together(monkeypatch):
    # A list and three words: 32 + 3 * (32 + 1).
    monkeypatch.setattr(yaml_tree, "MAX_COST", 131)
    assert plain("[a, b, c]") == [["a", "b", "c"]]
    assert refused("[a, b,\n cc]") == (2, TOO_MUCH)
    assert refused("[a, b, c]\n--- d\n") == (2, TOO_MUCH)


def test_limit_counts_aliases_for_what_they_stand_for():
    lists = [
        f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert refused("a: &a [x,x,x,x,x,x,x,x,x]\n" + "\n".join(lists)) == (6, TOO_MUCH)
    assert refused(f"a: &a {'x' * 100_000}\nb: [{','.join(['*a'] * 50)}]\n") == (2, TOO_MUCH)


def test_limit_counts_merges():
    maps = [
        f"{name}: &{name} {{<<: [{','.join([f'*{before}'] * 9)}]}}"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert refused("a: &a {x: 1}\n" + "\n".join(maps)) == (6, TOO_MUCH)
