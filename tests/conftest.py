"""Settings that hold for the whole suite."""

import os

# Two thirds of a synth's time is CDK's template validation; cfn-lint checks the demo stack instead.
os.environ.setdefault("CDK_VALIDATION", "false")
os.environ.setdefault("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "20")
