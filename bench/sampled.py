"""The systems of bench/src/sampled.rs through SciPy: python3 sampled.py SYSTEMS SOLUTIONS RUNS.

Prints two medians in seconds, for all systems together: for solving the given matrices, and for the
whole computation from knots to curve. Writes the unknowns of the second. Needs SciPy:
python3 -m pip install scipy. Exits with status 3 without it.
"""

import statistics
import sys
import time

try:
    import numpy
    from scipy.linalg import solveh_banded
except ImportError:
    sys.exit(3)

SIZE = 1e-6  # weight of the size term in the overshoot penalty
FULL_PENALTY = 0.1  # frequency from which the overshoot penalty has its full weight


def read(path):
    """Bandwidth, overshoot penalty, and for each channel tuning, knots, matrix, right-hand side."""
    numbers = numpy.fromfile(path, dtype="<f8")
    channels, samples, knots = (int(number) for number in numbers[:3])
    bandwidth, penalty = numbers[3:5]
    rows = numbers[5:].reshape(channels, 2 + 2 * knots + 7 * 2 * samples)
    found = []
    for row in rows:
        tuning, knotted, system = numpy.split(row, [2, 2 + 2 * knots])
        matrix = system[: 6 * 2 * samples].reshape(6, 2 * samples)
        found.append((tuning, knotted.reshape(knots, 2), matrix, system[6 * 2 * samples :]))
    return samples, bandwidth, penalty, found


def assembled(samples, bandwidth, penalty, tuning, knots):
    """The normal equations of the complex spline at rest at its start, in lower banded form."""
    omega, decay = tuning
    pole = numpy.exp(complex(-decay, omega))
    a = 2 * pole * numpy.cos(min(bandwidth, omega / 2))
    b = -pole * pole
    fade = min(1.0, (omega / FULL_PENALTY) ** 2)
    weight = penalty * fade
    diagonal = numpy.full(samples, weight * SIZE)
    one = numpy.zeros(samples, dtype=complex)  # (j, j - 1)
    two = numpy.zeros(samples, dtype=complex)  # (j, j - 2)
    diagonal[:-2] += abs(b) ** 2
    diagonal[1:-1] += abs(a) ** 2
    diagonal[2:] += 1
    diagonal[:-1] += weight * abs(pole) ** 2
    diagonal[1:] += weight
    one[1:-1] += a.conjugate() * b
    one[2:] -= a
    one[1:] -= weight * pole
    two[2:] = -b
    # band[k, j] is entry (j + k, j); even rows are real parts.
    band = numpy.zeros((6, 2 * samples))
    band[0, 0::2] = diagonal
    band[0, 1::2] = diagonal + penalty * (1 - fade) * SIZE
    band[2, 0:-2:2] = one[1:].real
    band[2, 1:-2:2] = one[1:].real
    band[1, 1:-1:2] = -one[1:].imag
    band[3, 0:-2:2] = one[1:].imag
    band[4, 0:-4:2] = two[2:].real
    band[4, 1:-4:2] = two[2:].real
    band[3, 1:-4:2] = -two[2:].imag
    band[5, 0:-4:2] = two[2:].imag
    # Fixed unknowns are eliminated: their columns go to the right-hand side.
    known = numpy.concatenate((numpy.arange(4), 2 * knots[:, 0].astype(int)))
    values = numpy.concatenate((numpy.zeros(4), knots[:, 1]))
    right = numpy.zeros(2 * samples)
    for k in range(1, 6):
        below = known[known + k < 2 * samples]
        right[below + k] -= band[k, below] * values[known + k < 2 * samples]
        above = known[known - k >= 0]
        right[above - k] -= band[k, above - k] * values[known - k >= 0]
    for k in range(1, 6):
        band[k, known] = 0
        band[k, known[known - k >= 0] - k] = 0
    band[0, known] = 1
    right[known] = values
    return band, right


def solved(matrix, right):
    return solveh_banded(matrix, right, lower=True, check_finite=False)


def median(runs, job):
    job()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main():
    systems, solutions, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    samples, bandwidth, penalty, channels = read(systems)

    def bare():
        return [solved(matrix, right) for _, _, matrix, right in channels]

    def whole():
        return [
            solved(*assembled(samples, bandwidth, penalty, tuning, knots))
            for tuning, knots, _, _ in channels
        ]

    print(median(runs, bare), median(runs, whole))
    for one, other in zip(bare(), whole()):
        assert abs(one - other).max() < 1e-6, "the two ways differ"
    numpy.concatenate(whole()).astype("<f8").tofile(solutions)


main()
