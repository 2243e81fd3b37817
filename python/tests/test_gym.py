"""Gymnasium: every registered task passes its checks; vectors are the environments they consist of."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from fathom.gym import TASKS, Env, Task, VectorEnv  # noqa: E402

NAMES = {"BlueROV2Station", "BlueROV2Trajectory", "RemusBottomFollowing", "SnookieWall", "FishPursuit", "OtterDocking",
         "LauvSurvey"}


@pytest.mark.parametrize("name", sorted(TASKS))
@pytest.mark.filterwarnings("ignore:.*infinity")
@pytest.mark.filterwarnings("ignore:.*not within the observation space")
def test_a_task_passes_the_checks_of_gymnasium(name):
    assert set(TASKS) == NAMES
    env = gymnasium.make(f"Fathom/{name}-v0")
    check_env(env.unwrapped, skip_render_check=True)
    assert len(TASKS[name].text) > 100 and "Reward" in TASKS[name].text
    total, steps = 0.0, 0
    seen, _ = env.reset(seed=1)
    done = False
    while not done and steps < 40:
        seen, reward, terminated, truncated, info = env.step(0.2 * env.action_space.sample())
        total, steps, done = total + reward, steps + 1, terminated or truncated
        assert np.isfinite(reward)
    assert steps > 5 and seen.shape == env.observation_space.shape


def test_snookie_sees_nothing_but_its_lateral_line():
    env = gymnasium.make("Fathom/SnookieWall-v0").unwrapped
    assert env.observation_space.shape == (8,)
    assert [column.unit for column in env.rows.observed[:8]] == ["V"] * 8


@pytest.mark.parametrize("engine", ["worlds", "simd"])
def test_a_vector_has_the_episodes_of_its_environments(engine):
    one = [Env("BlueROV2Station", float64=True, time_limit=1) for _ in range(3)]
    many = VectorEnv(3, "BlueROV2Station", engine=engine, float64=True, time_limit=1)
    singles = [env.reset(seed=5 + i)[0] for i, env in enumerate(one)]
    seen, _ = many.reset(seed=5)
    assert seen == pytest.approx(np.array(singles), abs=0)
    for step in range(25):
        actions = np.sin(step + np.arange(18).reshape(3, 6)) / 3
        seen, reward, terminated, truncated, _ = many.step(actions)
        for i, env in enumerate(one):
            if step % 11 == 10:  # the step in which a vector resets
                got, value, ends = env.reset()[0], 0.0, False
            else:
                got, value, ends, _, _ = env.step(actions[i])
            assert got == pytest.approx(seen[i], abs=1e-13) and value == pytest.approx(reward[i])
        assert truncated.all() == (step % 11 == 9)


def test_the_modes_of_autoreset():
    same = gymnasium.make_vec("Fathom/BlueROV2Station-v0", num_envs=2, time_limit=0.5,
                              autoreset_mode=AutoresetMode.SAME_STEP)
    first, _ = same.reset(seed=2)
    for _ in range(5):
        seen, _, _, truncated, info = same.step(same.action_space.sample())
    assert truncated.all() and info["final_obs"][0].shape == (13,) and not np.array_equal(info["final_obs"][0], seen[0])
    assert not np.array_equal(seen, first)  # another start
    off = VectorEnv(2, autoreset_mode=AutoresetMode.DISABLED, time_limit=0.5)
    off.reset(seed=2)
    for _ in range(5):
        off.step(off.action_space.sample())
    seen, _ = off.reset(options={"reset_mask": np.array([True, False])})
    assert off.rows.array("steps").tolist() == [0, 5]


def test_domain_randomisation_by_paths():
    env = VectorEnv(50, randomise={"/rov/mass/mass": (10.0, 13.0)})
    env.reset(seed=1)
    masses = env.rows.parameters[:, env.rows.paths.index("/rov/mass/mass")]
    assert 10 <= masses.min() < 10.5 and 12.5 < masses.max() <= 13


def test_rewards_follow_from_the_distance():
    env = Env("BlueROV2Station")
    env.reset(seed=3)
    seen, reward, *_ = env.step(np.zeros(6))
    d2 = seen[0] ** 2 + seen[1] ** 2 + (seen[2] - 5) ** 2
    w, x, y, z = seen[3:7]
    heading = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    assert reward == pytest.approx(1 / (1 + 4 * d2) - 0.1 * (1 - np.cos(heading)), abs=1e-5)


def test_unknown_tasks_are_refused():
    with pytest.raises(LookupError, match="BlueROV2Station"):
        Env("BlueROV3Station")
    assert isinstance(TASKS["LauvSurvey"], Task)
