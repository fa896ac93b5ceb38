"""The generated tables of README.md are those that `make tables` would write."""

import pytest
from tables import README, with_tables


def test_tables_are_current():
    text = README.read_text(encoding="utf-8")
    assert text == with_tables(text), "run make tables"


def test_table_stands_between_its_markers_and_the_old_one_goes():
    old = "# A\n<!-- compatibility table -->\nold\n<!-- end of compatibility table -->\nrest\n"
    lines = with_tables(old).splitlines()
    assert lines[:4] == [
        "# A",
        "<!-- compatibility table -->",
        "| Karpenter | API | kinds written | identity | Kubernetes |",
        "|---|---|---|---|---|",
    ]
    assert lines[-2:] == ["<!-- end of compatibility table -->", "rest"]
    assert "old" not in lines


@pytest.mark.parametrize(
    "text",
    ["", "<!-- compatibility table -->\n", "<!-- end of compatibility table -->"],
    ids=["none", "no end", "no start"],
)
def test_fails_without_both_markers(text):
    with pytest.raises(ValueError, match=r"^README\.md lacks the markers of the compatibility table$"):
        with_tables(text)
