"""Writes YAML that Kubernetes reads back as it was."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import yaml

from .._reading.yaml_scalars import stays_text

_EMITTER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_EMITTER):  # type: ignore[misc, valid-type]
    """PyYAML's, but with quotes for what Kubernetes takes for a number or a boolean, and no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        del data
        return True


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = None if stays_text(text) else "'"
    node: yaml.ScalarNode = dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style="|" if "\n" in text else style
    )
    return node


_Dumper.add_representer(str, _text)


def yaml_document(value: object) -> str:
    """One document."""
    text: str = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return text


def yaml_documents(values: Iterable[dict[str, Any]]) -> str:
    """Several documents, with ``---`` between them."""
    return "---\n".join(yaml_document(value) for value in values)
