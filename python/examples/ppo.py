"""Trains a controller by proximal policy optimisation (Schulman et al. 2017): one file, with torch.

    python ppo.py                                    on a GPU if there is one: 65,536 vehicles
    python ppo.py --device cpu                       on the processor: 512 vehicles
    python ppo.py --task SnookieWall --device cpu    another task of fathom.gym.TASKS

It prints a line per report, writes the learning curve with --curve FILE.csv and the policy with --out FILE.pt. At the
end the policy is measured on episodes that were not used for training, without noise of exploration; for
BlueROV2Station beside the autopilot that Fathom ships, on the same episodes.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode

import fathom
from fathom.gym import TASKS, Env, Task, VectorEnv


@dataclass
class Settings:
    """How to learn. The defaults are those of a processor."""

    envs: int = 512
    horizon: int = 32  #: steps of every environment between two updates
    epochs: int = 4  #: passes over those steps
    batches: int = 8  #: gradient steps in a pass
    width: int = 64  #: units of each of the two hidden layers
    rate: float = 1e-3  #: of Adam at the start; it falls to a tenth
    discount: float = 0.98  #: per step
    trace: float = 0.95  #: lambda of the advantages
    clip: float = 0.2
    noise: float = 0.5  #: standard deviation of the actions at the start
    scale: float = 1  #: of the rewards that are learned from
    whiten: bool = False  #: observations are scaled by their covariance: small differences of large numbers count


ON_A_GPU = {"envs": 65536, "horizon": 16, "epochs": 2, "batches": 8, "width": 128, "rate": 2e-3}
#: What suits a task better on a processor.
OF_A_TASK = {"SnookieWall": {"envs": 64, "horizon": 64, "discount": 0.99, "rate": 1e-3, "scale": 0.1, "whiten": True}}
#: The station keeping task with the autopilot of the scenario bluerov2-hover in place of a policy.
AUTOPILOT = """<mission><at t="0 s" place="0 0 m" depth="5 m" heading="0 deg"/></mission>
    <autopilot steering="thrusters">
      <heading thrust-kp="2 N*m/rad" thrust-ki="0.1 N*m/rad/s" thrust-kd="2 N*m*s/rad"/>
      <depth thrust-kp="20 N/m" thrust-ki="2 N/m/s" thrust-kd="40 N*s/m"/>
      <hover kp="10 N/m" ki="1 N/m/s" kd="30 N*s/m"/>
    </autopilot>"""


class Policy(torch.nn.Module):
    """What it sees → mean of the actions, and the value. Numbers seen are scaled by their mean and spread so far."""

    def __init__(self, seen: int, acted: int, width: int, noise: float, whiten: bool = False) -> None:
        super().__init__()
        self.whiten = whiten
        self.register_buffer("covariance", torch.eye(seen))
        self.register_buffer("turn", torch.eye(seen))
        self.register_buffer("mean", torch.zeros(seen))
        self.register_buffer("square", torch.ones(seen))
        self.register_buffer("count", torch.tensor(1e-4))
        self.actor = self._layers(seen, width, acted, 0.01)
        self.critic = self._layers(seen, width, 1, 1.0)
        self.spread = torch.nn.Parameter(torch.full((acted,), float(np.log(noise))))

    @staticmethod
    def _layers(seen: int, width: int, out: int, gain: float) -> torch.nn.Sequential:
        layers = [torch.nn.Linear(seen, width), torch.nn.Tanh(), torch.nn.Linear(width, width), torch.nn.Tanh(),
                  torch.nn.Linear(width, out)]
        for layer in layers[::2]:
            torch.nn.init.orthogonal_(layer.weight, gain if layer is layers[-1] else 2**0.5)
            torch.nn.init.zeros_(layer.bias)
        return torch.nn.Sequential(*layers)

    def watch(self, seen: torch.Tensor) -> None:
        """Takes observations into mean and spread."""
        part = len(seen) / (self.count + len(seen))
        self.mean += part * (seen.mean(0) - self.mean)
        self.square += part * ((seen - self.mean).square().mean(0) - self.square)
        if self.whiten:
            off = seen - self.mean
            self.covariance += part * (off.T @ off / len(seen) - self.covariance)
        self.count += len(seen)

    def turn_axes(self) -> None:
        """Takes the covariance so far as the axes of what is seen; between two updates they stay."""
        if self.whiten:
            size, axes = torch.linalg.eigh(self.covariance.double())
            self.turn.copy_(axes / (size.clamp(min=0) + 1e-8 * size.max()).sqrt())

    def scaled(self, seen: torch.Tensor) -> torch.Tensor:
        if self.whiten:
            return ((seen - self.mean) @ self.turn).clamp(-10, 10)
        return ((seen - self.mean) / (self.square.sqrt() + 1e-6)).clamp(-10, 10)

    def chances(self, scaled: torch.Tensor, tried: torch.Tensor) -> torch.Tensor:
        """Logarithms of the probability densities of actions that were tried."""
        off = (tried - self.actor(scaled)) / self.spread.exp()
        return (-0.5 * off.square() - self.spread - 0.918938533).sum(-1)

    def act(self, seen: torch.Tensor) -> torch.Tensor:
        """Actions without exploration."""
        return self.actor(self.scaled(seen)).clamp(-1, 1)


def _columns(seen: Any, device: torch.device) -> torch.Tensor:
    """Observations as finite numbers: an echosounder without an echo reads infinity."""
    return torch.nan_to_num(torch.as_tensor(seen, device=device).float(), nan=0.0, posinf=100.0, neginf=-100.0)


class Learner:
    """Environments, a policy and its optimiser."""

    def __init__(self, task: str | Task, settings: Settings, device: str, seed: int = 1, threads: int = 1, **how: Any) -> None:
        torch.manual_seed(seed)
        self.settings, self.device = settings, torch.device(device)
        gpu = self.device.type == "cuda"
        if gpu:
            how = {"engine": "cuda", "single": True, "float64": False, **how}
        self.env = VectorEnv(settings.envs, task, arrays="torch", autoreset_mode=AutoresetMode.SAME_STEP,
                             threads=threads, **how)
        seen, acted = self.env.single_observation_space.shape[0], self.env.single_action_space.shape[0]
        self.policy = Policy(seen, acted, settings.width, settings.noise, settings.whiten).to(self.device)
        self.adam = torch.optim.Adam(self.policy.parameters(), lr=settings.rate, eps=1e-5, fused=gpu)
        self.steps = 0  #: of all environments so far
        s, n, self.kept = settings, settings.envs, {}
        for name, columns in (("seen", (seen,)), ("tried", (acted,)), ("chances", ()), ("rewards", ()), ("ends", ())):
            self.kept[name] = torch.zeros((s.horizon, n, *columns), device=self.device)
        self.values = torch.zeros((s.horizon + 1, n), device=self.device)
        self.seen = _columns(self.env.reset(seed=1000 * seed)[0], self.device).clone()
        self._stagger()

    def _stagger(self) -> None:
        """Episodes begin at different times, so that every rollout has all their phases."""
        spread = max(1, int(round(self.env.task.time_limit / self.env.task.interval)))
        parts = min(8, self.settings.envs)
        number = torch.arange(self.settings.envs, device=self.device) % parts
        still = torch.zeros((self.settings.envs, self.env.single_action_space.shape[0]), device=self.device)
        for part in range(1, parts):
            for _ in range(spread // parts):
                self.env.step(still)
            self.env.rows.reset(number == part)
        self.seen = _columns(self.env.step(still)[0], self.device).clone()

    @torch.no_grad()
    def roll_out(self) -> float:
        """Fills what an update learns from. Returns the mean reward per step."""
        policy, kept = self.policy, self.kept
        policy.turn_axes()
        for t in range(self.settings.horizon):
            policy.watch(self.seen)
            scaled = policy.scaled(self.seen)
            mean = policy.actor(scaled)
            tried = mean + policy.spread.exp() * torch.randn_like(mean)
            kept["seen"][t], kept["tried"][t] = self.seen, tried
            kept["chances"][t] = policy.chances(scaled, tried)
            self.values[t] = policy.critic(scaled).squeeze(-1)
            seen, reward, terminated, truncated, info = self.env.step(tried.clamp(-1, 1))
            # An episode that was cut off would have gone on: its last value stands for the rest.
            last = policy.critic(policy.scaled(_columns(info["final_obs"], self.device))).squeeze(-1)
            kept["rewards"][t] = self.settings.scale * reward + self.settings.discount * last * (truncated & ~terminated)
            kept["ends"][t] = (terminated | truncated).float()
            self.mean_reward = reward.mean() if t == 0 else self.mean_reward + reward.mean()
            self.seen = _columns(seen, self.device).clone()
        self.values[-1] = policy.critic(policy.scaled(self.seen)).squeeze(-1)
        self.steps += self.settings.horizon * self.settings.envs
        return self.mean_reward / self.settings.horizon

    def _advantages(self) -> torch.Tensor:
        """Generalised advantage estimation."""
        s, kept, found = self.settings, self.kept, torch.zeros_like(self.kept["rewards"])
        later = torch.zeros_like(found[0])
        for t in reversed(range(s.horizon)):
            goes_on = 1 - kept["ends"][t]
            error = kept["rewards"][t] + s.discount * goes_on * self.values[t + 1] - self.values[t]
            later = error + s.discount * s.trace * goes_on * later
            found[t] = later
        return found

    def update(self, done: float) -> None:
        """Gradient steps; `done` is the part of the training that is over."""
        s, policy = self.settings, self.policy
        for group in self.adam.param_groups:
            group["lr"] = s.rate * (1 - 0.9 * min(done, 1))
        gains = self._advantages()
        targets = (gains + self.values[:-1]).flatten()
        gains = ((gains - gains.mean()) / (gains.std() + 1e-8)).flatten()
        scaled = policy.scaled(self.kept["seen"].flatten(0, 1))
        tried, before = self.kept["tried"].flatten(0, 1), self.kept["chances"].flatten()
        for _ in range(s.epochs):
            for some in torch.randperm(len(gains), device=self.device).chunk(s.batches):
                ratio = (policy.chances(scaled[some], tried[some]) - before[some]).exp()
                gain = gains[some]
                worse = torch.minimum(ratio * gain, ratio.clamp(1 - s.clip, 1 + s.clip) * gain)
                off = policy.critic(scaled[some]).squeeze(-1) - targets[some]
                loss = -worse.mean() + 0.5 * off.square().mean() - 1e-3 * policy.spread.sum()
                self.adam.zero_grad(set_to_none=True)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                self.adam.step()


# --- how good it is ---


@torch.no_grad()
def evaluate(policy: Policy, task: str | Task, episodes: int, seed: int = 0, blind: bool = False) -> tuple[float, float]:
    """Mean return per step of an episode's full length, and the part of the episodes that ended before their time, on
    the processor and without exploration. Seeds from 0 on were not used for training. A blind policy sees the first
    observation of an episode all the time."""
    policy = policy.cpu()
    env = VectorEnv(episodes, task, engine="auto", autoreset_mode=AutoresetMode.DISABLED)
    seen, _ = env.reset(seed=seed)
    first = seen
    total, alive = np.zeros(episodes), np.ones(episodes, bool)
    length = int(round(env.task.time_limit / env.task.interval))
    for _ in range(length):
        actions = policy.act(_columns(first if blind else seen, torch.device("cpu"))).numpy()
        seen, reward, terminated, truncated, _ = env.step(actions)
        total += np.where(alive, reward, 0)
        alive &= ~terminated
    return float(total.mean() / length), float(1 - alive.mean())


class _Judged:
    """A moment of one world, for the judge of a task."""

    def __init__(self, vehicle: fathom.Vehicle, action: np.ndarray) -> None:
        self.xp, self.action = np, action[None]
        self.reward, self.terminated = np.zeros(1), np.zeros(1, np.uint8)
        self._seen = {"position": vehicle.position[None], "attitude": vehicle.attitude[None],
                      "velocity": vehicle.velocity[None]}

    def __getitem__(self, name: str) -> np.ndarray:
        return self._seen[name]


def autopilot(episodes: int, seed: int = 0) -> float:
    """The same for the shipped autopilot, on the same episodes of BlueROV2Station."""
    task = TASKS["BlueROV2Station"]
    model = fathom.load(task.scenario.replace('position="0 0 5 m"/>', f'position="0 0 5 m">{AUTOPILOT}</vehicle>'))
    low = np.array([actuator.min for actuator in model.actuators])
    high = np.array([actuator.max for actuator in model.actuators])
    length, ticks, total = int(round(task.time_limit / task.interval)), int(round(task.interval / 0.01)), 0.0
    for episode in range(episodes):
        env = Env(task)
        env.reset(seed=seed + episode)
        start = dict(zip(env.rows.paths, env.rows.parameters[0].tolist()))
        vehicle = (world := model.replace(start).world())["rov"]
        for _ in range(length):
            world.step(ticks)
            moment = _Judged(vehicle, 2 * (vehicle.values - low) / (high - low) - 1)
            task.judge(moment)
            total += moment.reward[0]
            if moment.terminated[0]:
                break
    return total / (episodes * length)


# --- the program ---


def train(learner: Learner, seconds: float, iterations: int, goal: float | None = None, curve: Any = None,
          clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """Learns until the time is up or the iterations are made. Returns the mean reward per step of each rollout."""
    begin, rewards, spoken = clock(), [], -np.inf
    for i in range(iterations):
        done = max(i / iterations, (clock() - begin) / seconds)
        if done >= 1:
            break
        mean = learner.roll_out()
        learner.update(done)
        rewards.append(float(mean))  # waits for a GPU
        now = clock() - begin
        if curve is not None:
            curve.writerow([f"{now:.3f}", learner.steps, f"{rewards[-1]:.5f}"])
        if now - spoken >= seconds / 20:
            spoken = now
            print(f"{now:7.1f} s  {learner.steps:>13,} steps  reward {rewards[-1]:7.4f} per step"
                  f"{'' if goal is None else f'  (autopilot {goal:.4f})'}", flush=True)
    return rewards


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="BlueROV2Station", choices=list(TASKS))
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seconds", type=float, help="of training; default: 12 on a GPU, 120 on a processor")
    parser.add_argument("--cpu-time", action="store_true", help="count processor time: for a machine that is busy")
    parser.add_argument("--iterations", type=int, default=1 << 30, help="updates at most")
    parser.add_argument("--envs", type=int)
    parser.add_argument("--episodes", type=int, default=128, help="of the evaluation")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2, help="of the processor (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", help="CSV file of the learning curve")
    parser.add_argument("--out", help="file of the policy")
    return parser.parse_args()


def main() -> None:
    begin, given = time.perf_counter(), arguments()
    gpu = given.device.startswith("cuda")
    torch.set_num_threads(given.threads)
    torch.set_float32_matmul_precision("high")
    settings = Settings(**(ON_A_GPU if gpu else OF_A_TASK.get(given.task, {})))
    settings.envs = given.envs or settings.envs
    learner = Learner(given.task, settings, given.device, given.seed, given.threads)
    print(f"{learner.env.rows}, after {time.perf_counter() - begin:.1f} s")
    goal = autopilot(min(given.episodes, 64)) if given.task == "BlueROV2Station" and not gpu else None
    with open(given.curve or "/dev/null", "w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["time [s]", "steps [step]", "reward []"])
        train(learner, given.seconds or (12 if gpu else 120), given.iterations, goal, curve,
              time.process_time if given.cpu_time else time.perf_counter)
    print(f"trained after {time.perf_counter() - begin:.1f} s, {learner.steps:,} environment steps")
    reward, ended = evaluate(learner.policy, given.task, given.episodes)
    print(f"policy     {reward:.4f} per step, {100 * ended:.1f} % of {given.episodes} episodes ended before their time")
    if given.task == "BlueROV2Station":
        print(f"autopilot  {autopilot(given.episodes):.4f} per step on the same episodes")
    if given.task == "SnookieWall":
        reward, ended = evaluate(learner.policy, given.task, given.episodes, blind=True)
        print(f"without its lateral line {reward:.4f} per step, {100 * ended:.1f} % ended before their time")
    if given.out:
        torch.save(learner.policy.state_dict(), given.out)


if __name__ == "__main__":
    main()
