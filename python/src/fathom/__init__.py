"""Fathom, a simulator of underwater vehicles: how they move and what they sense.

    import fathom
    world = fathom.load("phoenix-turn").world()
    world.run_until(60)
    print(world.pose[:3])   # m, north-east-down
"""

from . import env, errors, log, plot, studies
from ._library import version
from .errors import FathomError, ModelWarning
from .fits import Fit, identify
from .model import Actuator, Field, Model, Parameter, load
from .parts import Context, Part, controller, force, sensor
from .run import Run
from .searches import Optimiser, optimise
from .studies import Study, sweep
from .world import Event, Instrument, Vehicle, Water, World

__version__ = version()
__all__ = [
    "Actuator",
    "Context",
    "Event",
    "FathomError",
    "Field",
    "Fit",
    "Instrument",
    "Model",
    "ModelWarning",
    "Parameter",
    "Optimiser",
    "Part",
    "Run",
    "Study",
    "Vehicle",
    "Water",
    "World",
    "controller",
    "env",
    "errors",
    "force",
    "identify",
    "load",
    "log",
    "optimise",
    "plot",
    "sensor",
    "studies",
    "sweep",
    "version",
]
