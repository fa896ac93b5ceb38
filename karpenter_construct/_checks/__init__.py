"""What is wrong with node objects for a release: pure functions from models to problems."""

from .capacity_buffer import check_capacity_buffer
from .fleet import check_fleet
from .node_class import check_node_class
from .node_overlay import check_node_overlay
from .node_pool import check_node_pool

__all__ = [
    "check_capacity_buffer",
    "check_fleet",
    "check_node_class",
    "check_node_overlay",
    "check_node_pool",
]
