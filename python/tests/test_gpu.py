"""Environments on a GPU: torch and JAX use their memory, and nothing passes through the processor's."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("gymnasium")
if not torch.cuda.is_available():
    pytest.skip("no GPU", allow_module_level=True)

from gymnasium.vector import AutoresetMode  # noqa: E402

from fathom._library import ffi, lib  # noqa: E402
from fathom.gym import VectorEnv  # noqa: E402

ROWS = 256


def steps(env, count, actions):
    for _ in range(count):
        seen, reward, terminated, truncated, _ = env.step(actions)
    return seen, reward, terminated, truncated


def test_tensors_are_the_memory_of_the_environments():
    env = VectorEnv(ROWS, engine="cuda", arrays="torch")
    seen, _ = env.reset(seed=1)
    look = lib.fm_env_look(env.rows._handle, lib.FM_ENV_OBSERVATIONS)
    assert seen.is_cuda and seen.data_ptr() == int(ffi.cast("intptr_t", look.data)) + look.byte_offset
    before = seen.clone()
    env.step(torch.full((ROWS, 6), 0.3, device="cuda"))
    assert not torch.equal(seen, before)  # the same tensor has the new numbers


def test_nothing_is_copied_between_the_processor_and_the_gpu():
    env = VectorEnv(ROWS, engine="cuda", arrays="torch", autoreset_mode=AutoresetMode.SAME_STEP)
    env.reset(seed=1)
    actions = torch.zeros((ROWS, 6), device="cuda")
    steps(env, 3, actions)
    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as watched:
        steps(env, 20, actions)
        torch.cuda.synchronize()
    names = [event.key for event in watched.key_averages()]
    kernels = [name for name in names if "Memcpy" not in name and "Memset" not in name]
    assert len(kernels) > 3, names  # it does record what runs there
    assert not [name for name in names if "HtoD" in name or "DtoH" in name], names


def test_rows_on_a_gpu_move_as_those_of_the_processor():
    actions = np.sin(np.arange(ROWS * 6)).reshape(ROWS, 6).astype(np.float32) / 2
    here = VectorEnv(ROWS, engine="simd", float64=True)
    there = VectorEnv(ROWS, engine="cuda", arrays="torch", float64=True, threads=4)
    first, _ = here.reset(seed=7)
    same, _ = there.reset(seed=7)
    assert same.cpu().numpy() == pytest.approx(first, abs=1e-12)
    on_gpu = torch.as_tensor(actions, device="cuda", dtype=torch.float64)
    for _ in range(30):
        seen, reward, *_ = here.step(actions)
        seen_there, reward_there, *_ = there.step(on_gpu)
    assert seen_there.cpu().numpy() == pytest.approx(seen, abs=1e-7)
    assert reward_there.cpu().numpy() == pytest.approx(reward, abs=1e-7)


def test_a_mask_on_the_gpu_begins_rows_again():
    env = VectorEnv(ROWS, engine="cuda", arrays="torch", autoreset_mode=AutoresetMode.DISABLED)
    first = env.reset(seed=1)[0].clone()
    odd = torch.arange(ROWS, device="cuda") % 2 == 1
    steps(env, 5, torch.full((ROWS, 6), 0.3, device="cuda"))
    env.rows.reset(odd)
    env.rows.wait()
    seen = env.step(torch.zeros((ROWS, 6), device="cuda"))[0]
    counts = torch.from_dlpack(env.rows.export("steps", read_only=False))
    assert counts[odd].tolist() == [1] * (ROWS // 2) and counts[~odd].tolist() == [6] * (ROWS // 2)
    assert torch.allclose(seen[odd][:, :3], first[odd][:, :3], atol=0.1)


def test_work_is_queued_on_the_stream_of_torch():
    env = VectorEnv(ROWS, engine="cuda", arrays="torch")
    env.reset(seed=1)
    other = torch.cuda.Stream()
    with torch.cuda.stream(other):
        steps(env, 2, torch.zeros((ROWS, 6), device="cuda"))
        assert int(ffi.cast("intptr_t", lib.fm_env_stream(env.rows._handle))) == other.cuda_stream
    other.synchronize()


def test_jax_is_given_the_same_numbers():
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX has no GPU here")
    one = VectorEnv(ROWS, engine="cuda", arrays="jax")
    other = VectorEnv(ROWS, engine="cuda", arrays="torch")
    first, _ = one.reset(seed=3)
    other.reset(seed=3)
    kept = np.asarray(first).copy()
    actions = jax.numpy.sin(jax.numpy.arange(ROWS * 6, dtype="float32")).reshape(ROWS, 6) / 2
    for _ in range(5):
        seen, reward, *_ = one.step(actions)
        there, reward_there, *_ = other.step(torch.as_tensor(np.asarray(actions), device="cuda"))
    assert next(iter(seen.devices())).platform == "gpu"
    assert np.array_equal(np.asarray(seen), there.cpu().numpy())
    assert np.array_equal(np.asarray(reward), reward_there.cpu().numpy())
    assert np.array_equal(np.asarray(first), kept)  # an array of JAX does not change


def test_what_is_learned_on_a_gpu_in_a_second_is_better_than_nothing():
    import pathlib
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "examples"))
    import ppo

    learner = ppo.Learner("BlueROV2Station", ppo.Settings(envs=2048, horizon=16, epochs=2), "cuda")
    rewards = ppo.train(learner, 60, 60)
    assert np.mean(rewards[-10:]) > np.mean(rewards[:10]) + 0.1
