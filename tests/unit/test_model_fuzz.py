"""Whatever a model is given: it is made, or one clear error lists what is wrong."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karpenter_construct.capacity_buffer import CapacityBuffer
from karpenter_construct.errors import SettingsError
from karpenter_construct.node_class import EC2NodeClass
from karpenter_construct.node_overlay import NodeOverlay
from karpenter_construct.node_pool import NodePool

MODELS = (NodePool, EC2NodeClass, NodeOverlay, CapacityBuffer)
FIELDS = sorted({field for model in MODELS for field in model.model_fields})

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=5)
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(SCALARS, inner, max_size=3)
        | st.frozensets(SCALARS, max_size=2)
    ),
    max_leaves=12,
)


@given(
    model=st.sampled_from(MODELS),
    data=st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=4) | ANYTHING,
)
def test_anything_gives_a_model_or_one_clear_error(model, data):
    try:
        made = model.model_validate(data)
    except SettingsError as error:
        text = str(error)
        assert text
        for foreign in ("pydantic", "validation error", "Input should", "Value error", "type="):
            assert foreign not in text
        assert all(line.startswith("`") for line in text.splitlines())
    else:
        assert model.model_validate(made.model_dump()) == made


class Awkward:
    def __repr__(self) -> str:
        raise RuntimeError


LOOP: list[object] = []
LOOP.append(LOOP)


EXTREMES = {
    "5001 digits": 10**5000,
    "no number": math.nan,
    "infinite": math.inf,
    "bytes": b"bytes",
    "a million letters": "x" * 1_000_000,
    "cannot be shown": Awkward(),
    "holds itself": LOOP,
    "a list of what holds itself": [LOOP],
    "a class": object,
    "a dict of what holds itself": {1: LOOP},
}


@pytest.mark.parametrize(
    "field",
    ["name", "weight", "labels", "limits", "taints", "disruption", "kubelet", "requirements", "replicas"],
)
@pytest.mark.parametrize("value", EXTREMES.values(), ids=EXTREMES)
def test_fails_shortly_on_extremes(field, value):
    with pytest.raises(SettingsError) as raised:
        NodePool.model_validate({"name": "a", field: value})
    assert len(str(raised.value)) < 1000
