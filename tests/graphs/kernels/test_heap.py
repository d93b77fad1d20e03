"""The heap of the kernels gives the order of a sort, whatever is pushed, rescored and dropped."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from focuslab.graphs.kernels.heap import drop_best, heapify, new_heap, push, rescore

ENTRIES = 12
acts = st.lists(st.tuples(st.sampled_from(["push", "drop"]), st.integers(0, ENTRIES - 1), st.integers(-3, 3)))


@given(acts)
def test_it_agrees_with_a_sort(acts: list[tuple[str, int, int]]) -> None:
    """Two heaps share the arrays, so that one at a base that is not 0 is met too."""
    heap, base, size = new_heap(2 * ENTRIES, ENTRIES), ENTRIES, 0
    model: dict[int, tuple[float, float]] = {}
    for act, entry, score in acts:
        if act == "push" and entry in model:
            rescore(heap, base, size, entry, float(score))
            model[entry] = (-score, model[entry][1])
        elif act == "push":
            key = float((entry * 5) % ENTRIES)  # distinct, in no order
            size = push(heap, base, size, entry, float(score), key)
            model[entry] = (-score, key)
        elif size:
            best = int(heap.entry[base])
            assert model[best] == min(model.values())
            size = drop_best(heap, base, size)
            del model[best]
        assert {entry for entry in range(ENTRIES) if heap.place[entry] >= 0} == set(model)
        assert size == len(model)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=ENTRIES))
def test_heapify_restores_the_order(scores: list[float]) -> None:
    heap, size = new_heap(ENTRIES, ENTRIES), 0
    for entry in range(len(scores)):
        size = push(heap, 0, size, entry, 0.0, float(entry))
    heap.score[heap.place[: len(scores)]] = scores
    heapify(heap, 0, size)
    found = []
    while size:
        found.append(int(heap.entry[0]))
        size = drop_best(heap, 0, size)
    assert found == np.lexsort((np.arange(len(scores)), -np.array(scores))).tolist()
