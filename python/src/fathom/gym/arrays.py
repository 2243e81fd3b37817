"""Arrays of vector environments for NumPy, torch and JAX, on the processor or a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import env as core


class Arrays:
    """How observations, rewards and ends are handed out, and actions taken."""

    def __init__(self, rows: core.Rows) -> None:
        self.rows = rows

    def begin(self) -> None:
        """Called before work of the environments is queued."""

    def get(self, name: str) -> Any:
        """An array of `fathom.env.Rows`."""
        raise NotImplementedError

    def act(self, actions: Any) -> None:
        """Takes the actions of a step."""
        raise NotImplementedError


class Numpy(Arrays):
    """Copies, as learners keep them."""

    def get(self, name: str) -> Any:
        return self.rows.array(name).copy()

    def act(self, actions: Any) -> None:
        self.rows.actions[:] = actions


class Torch(Arrays):
    """Tensors that share the memory of the environments. On a GPU all work is queued on torch's present stream."""

    def __init__(self, rows: core.Rows) -> None:
        import torch

        super().__init__(rows)
        self._torch, self._stream = torch, 0
        self._tensors: dict[str, Any] = {}

    def begin(self) -> None:
        if self.rows.on_gpu and (stream := self._torch.cuda.current_stream().cuda_stream) != self._stream:
            self.rows.use_stream(stream)
            self._stream = stream

    def get(self, name: str) -> Any:
        if name not in self._tensors:
            # A second view of the memory, as torch has no tensors that may only be read.
            self._tensors[name] = self._torch.from_dlpack(self.rows.export(name, read_only=False))
        return self._tensors[name]

    def act(self, actions: Any) -> None:
        self.get("actions").copy_(self._torch.as_tensor(actions))


class Jax(Arrays):
    """Copies on the device of the environments, as arrays of JAX never change."""

    def __init__(self, rows: core.Rows) -> None:
        import jax

        super().__init__(rows)
        self._jax: Any = jax

    def get(self, name: str) -> Any:
        jax = self._jax
        if not self.rows.on_gpu:
            return jax.numpy.array(self.rows.array(name))
        shared = jax.dlpack.from_dlpack(self.rows.export(name, read_only=False))
        return jax.numpy.array(shared, copy=True).block_until_ready()

    def act(self, actions: Any) -> None:
        if not self.rows.on_gpu:
            self.rows.actions[:] = np.asarray(actions)
            return
        xp = core.on_device()
        given = xp.from_dlpack(self._jax.block_until_ready(actions))
        xp.from_dlpack(self.rows.export("actions"))[:] = given


__all__ = ["Arrays", "Jax", "Numpy", "Torch"]
