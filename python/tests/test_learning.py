"""Learning: examples/ppo.py, and Stable-Baselines3 as it is. Both need torch."""

import csv
import pathlib
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("gymnasium")

from fathom.gym import TASKS, Task, VectorEnv  # noqa: E402

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))
import ppo  # noqa: E402


def _depth(moment):
    off = moment["z"] - 5
    moment.reward[:] = 1 / (1 + 4 * off * off)


#: A BlueROV2 holds its depth with its two vertical thrusters: small enough to be learned in seconds.
DEPTH = Task("Depth", "", TASKS["BlueROV2Station"].scenario, ("z", "velocity"), _depth,
             actions=("port-vertical", "starboard-vertical"), time_limit=10, start={"/rov/position/z": (1.0, 9.0)})


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_ppo_learns_to_hold_a_depth():
    settings = ppo.Settings(envs=128, horizon=32, batches=4, width=32, rate=3e-3, discount=0.95)
    learner = ppo.Learner(DEPTH, settings, "cpu")
    before, _ = ppo.evaluate(learner.policy, DEPTH, 32)
    rewards = ppo.train(learner, 600, 25)
    after, ended = ppo.evaluate(learner.policy, DEPTH, 32)
    assert len(rewards) == 25 and learner.steps == 25 * 128 * 32
    assert before < 0.3 and after > 0.6 and ended == 0


def test_the_program_writes_a_curve_and_a_policy(tmp_path):
    done = subprocess.run(
        [sys.executable, EXAMPLES / "ppo.py", "--device", "cpu", "--envs", "32", "--iterations", "2", "--episodes", "4",
         "--threads", "1", "--curve", "curve.csv", "--out", "policy.pt"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "autopilot" in done.stdout and "environment steps" in done.stdout
    with open(tmp_path / "curve.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time [s]", "steps [step]", "reward []"] and [row[1] for row in rows[1:]] == ["1024", "2048"]
    assert set(torch.load(tmp_path / "policy.pt", weights_only=True)) >= {"mean", "actor.0.weight"}


def test_the_autopilot_is_judged_by_the_same_reward():
    """A vehicle that drifts at its start, judged by the task and by the example."""
    held = ppo.autopilot(4)
    env = VectorEnv(4, "BlueROV2Station", autoreset_mode="Disabled")
    env.reset(seed=0)
    zero = np.full((4, 6), -1.0)
    low, high = (np.array([getattr(a, side) for a in env.rows.model.actuators]) for side in ("min", "max"))
    zero[:] = -(low + high) / (high - low)  # no thrust
    drifting = sum(env.step(zero)[1].mean() for _ in range(300)) / 300
    assert 0.4 < held < 1 and held > drifting + 0.2


def test_torch_tensors_share_the_memory_of_the_rows():
    env = VectorEnv(3, arrays="torch")
    seen, _ = env.reset(seed=1)
    assert seen.data_ptr() == env.rows.observations.ctypes.data
    numpy = VectorEnv(3)
    numpy.reset(seed=1)
    for _ in range(310):  # beyond the end of an episode, into starts that were drawn again
        seen, reward, *_ = env.step(torch.zeros((3, 6)))
        there, reward_there, *_ = numpy.step(np.zeros((3, 6)))
    assert np.array_equal(seen.numpy(), there) and np.array_equal(reward.numpy(), reward_there)


def test_jax_arrays_do_not_change():
    jax = pytest.importorskip("jax")
    env, numpy = VectorEnv(3, arrays="jax"), VectorEnv(3)
    first, _ = env.reset(seed=1)
    kept = np.asarray(first).copy()
    numpy.reset(seed=1)
    for _ in range(5):
        seen, reward, terminated, *_ = env.step(jax.numpy.full((3, 6), 0.2))
        there, reward_there, *_ = numpy.step(np.full((3, 6), 0.2, np.float32))
    assert np.array_equal(np.asarray(seen), there) and np.array_equal(np.asarray(reward), reward_there)
    assert np.array_equal(np.asarray(first), kept) and terminated.dtype == bool


def test_stable_baselines_trains_a_task_unchanged():
    sb3 = pytest.importorskip("stable_baselines3")
    import gymnasium

    env = gymnasium.make("Fathom/BlueROV2Station-v0", time_limit=5)
    model = sb3.PPO("MlpPolicy", env, n_steps=256, batch_size=64, n_epochs=2, seed=1, device="cpu")
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(512)
    assert model.num_timesteps == 512 and model.ep_info_buffer
    assert any(not torch.equal(a, b) for a, b in zip(before, model.policy.parameters()))
