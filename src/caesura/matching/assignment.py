"""The best assignment: rows and columns paired one to one so that the sum of values is largest."""

from __future__ import annotations

import numpy as np

from caesura.core.segmentation import BoolArray, IntArray

FREE = -1
_FAR = np.iinfo(np.int64).max


def best_assignment(values: IntArray, then: IntArray) -> IntArray:
    """The column of each row of the largest sum of `values`; of equal sums, the largest of `then`.

    Both are tables of whole numbers from 0 on, of one shape; a row without a column has `FREE`.
    The slow twin is `best_pairs` of tests/support/reference_speakers.py.

    >>> best_assignment(np.array([[3, 5], [3, 5], [0, 1]]), np.eye(3, 2, dtype=np.int64)).tolist()
    [0, 1, -1]
    """
    rows, columns = values.shape
    size = max(rows, columns)
    square, second = (
        np.pad(each, ((0, size - rows), (0, size - columns))) for each in (values, then)
    )
    column, is_best = _assigned(square)
    if int(is_best.sum()) > size:
        least = -(size + 1) * (int(second.max(initial=0)) + 1)  # less than any sum of the others
        column, _ = _assigned(np.where(is_best, second, least))
    return np.where(column < columns, column, FREE)[:rows]


def _assigned(values: IntArray) -> tuple[IntArray, BoolArray]:
    """The column of each row of a square table, and all cells of which best assignments consist.

    The Hungarian method (Kuhn 1955), with prices of rows and columns: no value exceeds the sum of
    its prices, and those that equal it are the cells of the best assignments.
    """
    size = len(values)
    of_row, of_column = values.max(axis=1, initial=0), np.zeros(size, np.int64)  # the prices
    owner = np.full(size, FREE)  # (columns,) the row that each is assigned to
    for row in range(size):
        slack = np.full(size, _FAR)  # (columns,) how much the prices of a path to each exceed it
        before = np.full(size, FREE)  # (columns,) the column before it on that path
        is_done = np.zeros(size, np.bool_)
        column, last = FREE, row
        while True:
            loss = of_row[last] + of_column - values[last]
            nearer = ~is_done & (loss < slack)
            slack[nearer], before[nearer] = loss[nearer], column
            column = int(np.where(is_done, _FAR, slack).argmin())
            step = slack[column]
            of_row[[row, *owner[is_done]]] -= step
            of_column[is_done] += step
            slack[~is_done] -= step
            if owner[column] == FREE:
                break
            is_done[column], last = True, owner[column]
        while column != FREE:
            owner[column] = owner[before[column]] if before[column] != FREE else row
            column = int(before[column])
    return np.argsort(owner), of_row[:, None] + of_column == values
