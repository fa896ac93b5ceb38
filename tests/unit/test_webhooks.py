"""Which releases have webhooks, and what the CRD chart is told about them."""

import pytest

from karpenter_construct._upstream.webhooks import crd_chart_values, webhook_default_values, webhook_port
from karpenter_construct.releases import KarpenterVersion

WITHOUT_CONVERSION = [
    "0.30.0-rc.0",
    "0.32.10",
    "0.33.5",
    "0.34.6",
    "0.35.5",
    "0.36.2",
    "0.37.0",
    "1.1.0",
    "1.14.1",
]
WITH_CONVERSION = [
    *("0.33.6", "0.33.12", "0.34.7", "0.34.13", "0.35.6", "0.35.12", "0.36.3", "0.36.9", "0.37.1", "0.37.8"),
    *("1.0.0", "1.0.14"),
]


def release(text):
    return KarpenterVersion.parse(text)


@pytest.mark.parametrize("version", WITHOUT_CONVERSION)
def test_the_crd_chart_gets_nothing_where_crds_do_not_convert(version):
    assert crd_chart_values(release(version), namespace="elsewhere") == {}


@pytest.mark.parametrize("version", WITH_CONVERSION)
def test_the_crd_chart_gets_the_service_that_converts(version):
    assert crd_chart_values(release(version), namespace="elsewhere") == {
        "webhook": {
            "enabled": True,
            "serviceName": "karpenter",
            "serviceNamespace": "elsewhere",
            "port": 8443,
        }
    }


def test_the_crd_chart_follows_the_values_of_the_chart():
    values = crd_chart_values(
        release("1.0.14"), namespace="ns", service_name="kpt", chart_values={"webhook": {"port": 9443}}
    )
    assert values == {
        "webhook": {"enabled": True, "serviceName": "kpt", "serviceNamespace": "ns", "port": 9443}
    }


@pytest.mark.parametrize("version", WITH_CONVERSION)
def test_crds_do_not_convert_where_the_webhook_is_off(version):
    values = crd_chart_values(release(version), namespace="ns", chart_values={"webhook": {"enabled": False}})
    assert values == {"webhook": {"enabled": False}}


FORGOTTEN = [
    *("0.33.6", "0.33.7", "0.34.7", "0.34.8", "0.35.6", "0.35.7", "0.36.3", "0.36.4", "0.37.1", "0.37.2"),
]


@pytest.mark.parametrize("version", FORGOTTEN)
def test_the_webhook_is_turned_on_where_the_chart_forgets_it(version):
    assert webhook_default_values(release(version)) == {"webhook": {"enabled": True}}


@pytest.mark.parametrize(
    "version",
    [
        "0.31.5",
        "0.32.0",
        "0.33.5",
        "0.33.8",
        "0.34.6",
        "0.34.9",
        "0.35.8",
        "0.36.5",
        "0.37.0",
        "0.37.3",
        "1.0.0",
        "1.1.0",
    ],
)
def test_the_webhook_is_left_to_the_chart_elsewhere(version):
    assert webhook_default_values(release(version)) == {}


@pytest.mark.parametrize(
    ("version", "values", "port"),
    [
        ("0.30.0-rc.0", {}, 8443),
        ("0.31.5", {"webhook": {"enabled": False}}, 8443),
        ("0.31.5", {"webhook": {"port": 9443}}, 9443),
        ("0.32.0", {}, 8443),
        ("0.32.0", {"webhook": {"enabled": False}}, None),
        ("0.33.0", {}, None),
        ("0.33.0", {"webhook": {"enabled": True}}, 8443),
        ("0.33.6", {}, 8443),
        ("0.37.8", {}, 8443),
        ("1.0.14", {}, 8443),
        ("1.1.0", {}, None),
        ("1.1.0", {"webhook": {"enabled": True}}, None),
    ],
)
def test_the_port_that_the_control_plane_calls(version, values, port):
    assert webhook_port(release(version), values) == port
