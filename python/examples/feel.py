"""Snookie learns to feel a wall with its lateral line, and does not touch it: one file, NumPy only.

    python feel.py

It swims about before a wall, with random orders, and learns from the voltages of its eight sensors how near the wall
is: the answers are known here, as they would be in a tank with a camera. Then it swims at the wall with a reflex that
sees nothing but the voltages: when the wall feels near it goes back, turns and goes on. Episodes with other starts show
how often it touches the wall; so do episodes in which the voltages stay as they were at the start, and episodes in
which the wall is 27 m farther away.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from fathom.gym import TASKS, Task, VectorEnv

Array = np.ndarray[Any, np.dtype[Any]]
INTERVAL = 0.1  #: s, of a decision
WALL = 3.0  #: m north of the origin
HALF = 0.37  #: m, of the length; 0.12 m of the width
ACTIONS = ("port-upper", "port-lower", "starboard-upper", "starboard-lower")
#: Reflex: the wall feels near from here on (1/m), for how long it goes back, then turns (s).
NEAR, BACK, TURN = 2.8, 2.0, 4.0
#: Parts of full thrust: ahead (0.1 m/s in the end), back, turning.
AHEAD, ASTERN, ABOUT = 0.008, -0.2, 0.02


def task(gaps: tuple[float, float], wall: float = WALL, seconds: float = 20) -> Task:
    """SnookieWall at 0.1 m/s, with the nose `gaps` m before the wall and a heading of up to 0.5 rad to both sides."""
    known = TASKS["SnookieWall"]
    scenario = known.scenario.replace('velocity="0.2 0 0', 'velocity="0.1 0 0').replace(
        'position="3 0 0 m"', f'position="{wall} 0 0 m"')
    return replace(known, scenario=scenario, hidden=("position", "attitude", "velocity"), actions=ACTIONS, interval=INTERVAL,
                   time_limit=seconds, start={"/snookie/position/x": (WALL - HALF - gaps[1], WALL - HALF - gaps[0]),
                                              "/snookie/attitude/2": (-0.5, 0.5)})


def seen(env: VectorEnv) -> tuple[Array, Array, Array]:
    """Voltages, position to the north and gap between hull and wall, of each row."""
    all_of_it = np.array(env.rows.observations, float)
    w, x, y, z = all_of_it[:, 11:15].T
    north = all_of_it[:, 8]
    ahead = np.abs(1 - 2 * (y * y + z * z))  # cosine of the heading
    return all_of_it[:, :8], north, WALL - north - (HALF - 0.12) * ahead - 0.12


def swim_about(rows: int, steps: int, seed: int) -> tuple[Array, Array]:
    """Voltages and gaps under random orders."""
    random = np.random.default_rng(seed)
    env = VectorEnv(rows, task((0.05, 0.8)), autoreset_mode=AutoresetMode.SAME_STEP)
    env.reset(seed=seed)
    steady = random.uniform(-0.01, 0.02, (rows, 1))
    both, apart = np.zeros((rows, 1)), np.zeros((rows, 1))
    volts, gaps = [], []
    for _ in range(steps):
        both = 0.9 * both + random.normal(0, 0.02, (rows, 1))
        apart = 0.9 * apart + random.normal(0, 0.01, (rows, 1))
        env.step(np.clip(steady + both + apart * [1, 1, -1, -1], -1, 1))
        now, _, gap = seen(env)
        volts.append(now)
        gaps.append(gap)
    return np.concatenate(volts), np.concatenate(gaps)


@dataclass
class Feeling:
    """Voltages → 1/(gap + 0.1 m): ridge regression on random waves of the whitened voltages."""

    mean: Array
    turn: Array
    waves: Array
    shifts: Array
    weights: Array

    @classmethod
    def learn(cls, volts: Array, gaps: Array, seed: int, count: int = 500) -> Feeling:
        random = np.random.default_rng(seed)
        mean = volts.mean(0)
        size, axes = np.linalg.eigh(np.cov((volts - mean).T))
        feeling = cls(mean, axes / np.sqrt(size + 1e-8 * size.max()), 0.3 * random.normal(size=(8, count)),
                      random.uniform(0, 2 * np.pi, count), np.zeros(count + 9))
        x, y = feeling.features(volts), 1 / (np.maximum(gaps, 0.02) + 0.1)
        feeling.weights = np.linalg.solve(x.T @ x + 1e-4 * np.eye(x.shape[1]), x.T @ y)
        return feeling

    def features(self, volts: Array) -> Array:
        white = np.clip((volts - self.mean) @ self.turn, -10, 10)
        return np.concatenate([np.cos(white @ self.waves + self.shifts), white, np.ones((len(white), 1))], axis=1)

    def __call__(self, volts: Array) -> Array:
        return self.features(volts) @ self.weights


@dataclass
class Outcome:
    touched: float  #: part of the episodes
    nearest: float  #: m, median of the least gap
    turned: float  #: reactions of an episode
    through: float  #: part whose nose reached 3 m north, where the wall is in other episodes


def avoid(feeling: Feeling, episodes: int = 64, wall: float = WALL, held: bool = False, seconds: float = 20) -> Outcome:
    """Swims at the wall with the reflex."""
    env = VectorEnv(episodes, task((0.2, 0.8), wall, seconds), autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=0)
    volts, north, gap = seen(env)
    first, alive = volts, np.ones(episodes, bool)
    near, left, side = np.zeros(episodes), np.zeros(episodes), np.ones(episodes)
    turned, nearest, farthest = np.zeros(episodes), gap, north
    for _ in range(round(seconds / INTERVAL)):
        now = first if held else volts
        near = 0.6 * near + 0.4 * feeling(now)
        starts = (near > NEAR) & (left <= 0)
        side[starts] = np.where(now[starts, :4].sum(1) < now[starts, 4:].sum(1), 1, -1)
        near[starts], left[starts] = 0, BACK + TURN
        turned += starts & alive
        both = np.where(left > TURN, ASTERN, np.where(left > 0, 0, AHEAD))
        apart = np.where((left > 0) & (left <= TURN), ABOUT * side, 0)
        left = left - INTERVAL
        env.step(np.stack([both + apart, both + apart, both - apart, both - apart], axis=1))
        alive &= ~np.asarray(env.rows.terminated, bool)
        volts, north, gap = seen(env)
        nearest, farthest = np.minimum(nearest, gap), np.maximum(farthest, north)
    return Outcome(float(1 - alive.mean()), float(np.median(nearest)), float(turned.mean()),
                   float((farthest > WALL - HALF).mean()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=256, help="vehicles that swim about at once")
    parser.add_argument("--steps", type=int, default=300, help="of each, 0.1 s long")
    parser.add_argument("--episodes", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begin = time.process_time()
    volts, gaps = swim_about(given.rows, given.steps, given.seed)
    feeling = Feeling.learn(volts, gaps, given.seed)
    other, truth = swim_about(given.rows, given.steps // 5, given.seed + 1)
    felt = 1 / np.clip(feeling(other), 1, 9) - 0.1
    for low, high in ((0.02, 0.1), (0.1, 0.2), (0.2, 0.4)):
        part = (truth > low) & (truth < high)
        error = float(np.sqrt(np.mean((felt - truth)[part] ** 2)))
        print(f"gaps from {low} to {high} m: felt with an error (rms) of {error:.3f} m")
    for name, how in (("with its lateral line", {}), ("voltages of the start", {"held": True}),
                      ("wall 27 m farther", {"wall": WALL + 27})):
        found = avoid(feeling, given.episodes, **how)  # type: ignore[arg-type]
        print(f"{name:22} {100 * found.touched:5.1f} % touch the wall, {found.turned:.1f} turns, "
              f"{100 * found.through:3.0f} % come to where it is in the other episodes")
    print(f"{time.process_time() - begin:.0f} s of processor time")


if __name__ == "__main__":
    main()
