"""Settings that hold for the whole suite."""

from __future__ import annotations

import gc
import os

import pytest

from tests.snapshot import Snapshot

# Two thirds of a synth's time is CDK's template validation; cfn-lint checks the demo stack instead.
os.environ.setdefault("CDK_VALIDATION", "false")
os.environ.setdefault("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "20")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-snapshots", action="store_true", help="write the template snapshots anew")


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("KARPENTER_REQUIRE_UPSTREAM") == "1":
        config.pluginmanager.register(_ContractTestsMustRun())


def pytest_collection_finish() -> None:
    # What is imported by now stays: half a million objects, which need not be looked through again and again.
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Snapshot:
    """Compares a template with the one on disk: ``snapshot("v1-classic-minimal", template)``."""
    return Snapshot(update=request.config.getoption("--update-snapshots"))


class _ContractTestsMustRun:
    """Fails the run where a contract test was skipped, for whatever reason."""

    def __init__(self) -> None:
        self.skipped: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def _note(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        if report.skipped and report.nodeid.startswith("tests/contract/"):
            self.skipped.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.skipped:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.skipped:
            message = f"KARPENTER_REQUIRE_UPSTREAM=1, but {len(self.skipped)} contract tests were skipped"
            terminalreporter.write_line(message, red=True)
