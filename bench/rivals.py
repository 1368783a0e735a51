"""Ropes by other simulators.

python3 rivals.py SIMULATOR JOB SEGMENTS ROPES SECONDS [SUBSTEPS ITERATIONS]

The jobs of bench/src/strings.rs. `fall`: ropes of 1 m, held at one end and released horizontally.
`hang`: 1.5 m between two held points 1 m apart, released from a corner, until it stays within a
hundredth of a metre of the catenary. There is no contact.

A frame of 1/50 s has as few substeps, and a substep as few iterations, as meet the conditions of a
job: the whole rope never more than 1 % too long, and its tip within 6 mm of a converged chain after
0.4 s; or close enough to the catenary. The numbers below were found by trial, and every run prints
its accuracy; the last two arguments override them.

Prints the version, simulated seconds, CPU seconds of one core, the largest excess length of the
rope as a share, and its error in metres, if it was measured. Jobs that would take minutes are run
for one frame. For a simulator without air drag, velocities are reduced between two frames, which is
not timed. Exits with status 3 if the simulator is not installed:
python3 -m pip install mujoco pypbd pybullet.
"""

import contextlib
import importlib.metadata
import math
import os
import sys
import time

FRAME = 0.02
MASS = 0.1  # kilograms per metre
GRAVITY = 9.81
VISCOSITY = 14.0  # damping of `hang`, 1/s: the best for these simulators; ours has 20
TIP = (0.46751, -0.78480)  # metres along and up, after 0.4 s; 100 pendulums by Runge-Kutta


def started(job, segments):
    """Initial points of a rope, along and up."""
    if job == "fall":
        return [(i / segments, 0.0) for i in range(segments + 1)]
    depth = math.sqrt(0.75**2 - 0.5**2)
    half = segments / 2
    return [(i / segments, -depth * (1 - abs(i / half - 1))) for i in range(segments + 1)]


class Mujoco:
    """Points that slide along three axes, and a one-dimensional flex whose edges are constraints.

    Ball joints keep lengths by construction, but their mass matrix is full: about fifty times
    slower, as measured.
    """

    package = "mujoco"
    frame_only = ()
    asked = {("fall", 100): (13, 20), ("fall", 1000): (120, 20), ("hang", 100): (4, 20)}

    def __init__(self, points, held, ropes, parts, rounds, _):
        import mujoco

        self.mujoco, self.parts, self.count = mujoco, parts, len(points)
        mass = MASS * length(points) / (len(points) - 1)
        bodies, flexes, equal = "", "", ""
        for rope in range(ropes):
            names = []
            for i, (x, z) in enumerate(points):
                weight = mass / 2 if i == len(points) - 1 else mass
                slides = "" if i in held else "".join(
                    f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1")
                )
                names.append(f"p{rope}-{i}")
                bodies += (
                    f'<body name="{names[-1]}" pos="{x} {rope} {z}">{slides}<inertial pos="0 0 0" '
                    f'mass="{weight}" diaginertia="1e-9 1e-9 1e-9"/></body>'
                )
            edges = " ".join(f"{i} {i + 1}" for i in range(len(points) - 1))
            flexes += (
                f'<flex name="f{rope}" dim="1" radius="1e-4" body="{" ".join(names)}" '
                f'element="{edges}"/>'
            )
            # The stiffest constraint that it accepts: twice the step.
            equal += (
                f'<flex flex="f{rope}" solref="{2 * FRAME / parts} 1" '
                f'solimp="0.9999 0.9999 0.001"/>'
            )
        self.model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{FRAME / parts}" gravity="0 0 {-GRAVITY}" '
            f'iterations="{rounds}" jacobian="sparse"><flag contact="disable"/></option>'
            f"<worldbody>{bodies}</worldbody><deformable>{flexes}</deformable>"
            f"<equality>{equal}</equality></mujoco>"
        )
        self.data = mujoco.MjData(self.model)

    def step(self):
        self.mujoco.mj_step(self.model, self.data, self.parts)

    def slow(self, factor):
        self.data.qvel *= factor

    def points(self):
        return [(x, z) for x, _, z in self.data.xipos[1 : self.count + 1].tolist()]

    def index(self, i):
        return i


class PyPbd:
    """Particles and distance constraints. It has no viscosity, and its gravity is along y."""

    package = "pypbd"
    frame_only = ()
    asked = {("fall", 100): (120, 1), ("fall", 1000): (1200, 1), ("hang", 100): (40, 1)}

    def __init__(self, points, held, ropes, parts, rounds, _):
        import pypbd

        self.count = len(points)
        simulation = pypbd.Simulation.getCurrent()
        simulation.initDefault()
        self.model = simulation.getModel()
        self.particles = self.model.getParticles()
        mass = MASS * length(points) / (len(points) - 1)
        for rope in range(ropes):
            first = rope * len(points)
            for i, (x, z) in enumerate(points):
                self.particles.addVertex([x, z, float(rope)])
                weight = mass / 2 if i == len(points) - 1 else mass
                self.particles.setMass(first + i, 0.0 if i in held else weight)
            for i in range(len(points) - 1):
                self.model.addDistanceConstraint(first + i, first + i + 1, 1.0)
        pypbd.TimeManager.getCurrent().setTimeStepSize(FRAME)
        self.stepper = simulation.getTimeStep()
        self.stepper.setValueUInt(self.stepper.NUM_SUB_STEPS, parts)
        self.stepper.setValueUInt(self.stepper.MAX_ITERATIONS, rounds)

    def step(self):
        self.stepper.step(self.model)

    def slow(self, factor):
        for i in range(self.count):
            self.particles.setVelocity(i, self.particles.getVelocity(i) * factor)

    def points(self):
        return [tuple(self.particles.getPosition(i)[:2]) for i in range(self.count)]

    def index(self, i):
        return i


class Bullet:
    """Balls joined by point constraints.

    One body with spherical joints would keep lengths by construction, but is ten times slower,
    as measured. A thousand balls are still 20 mm off and 1.7 % too long with the numbers below.
    """

    package = "pybullet"
    frame_only = ((1000, 1), (100, 100))  # minutes for a second
    asked = {("fall", 100): (80, 4), ("fall", 1000): (320, 8), ("hang", 100): (20, 10)}

    def __init__(self, points, held, ropes, parts, rounds, viscosity):
        import pybullet

        self.bullet = pybullet
        self.half = half = length(points) / (len(points) - 1) / 2
        pybullet.connect(pybullet.DIRECT)
        pybullet.setGravity(0, 0, -GRAVITY)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=FRAME,
            numSubSteps=parts,
            numSolverIterations=rounds,
            erp=0.8,
            globalCFM=0,
            solverResidualThreshold=0,
        )
        shape = pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=half)

        def ball(mass, place, turned=(0, 0, 0, 1)):
            body = pybullet.createMultiBody(
                mass, shape, -1, place, turned, useMaximalCoordinates=1
            )
            pybullet.setCollisionFilterGroupMask(body, -1, 0, 0)
            pybullet.changeDynamics(
                body,
                -1,
                linearDamping=-math.expm1(-viscosity),
                angularDamping=0,
                activationState=pybullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            )
            return body

        def join(one, other, at=half):
            pybullet.createConstraint(
                one, -1, other, -1, pybullet.JOINT_POINT2POINT, [0, 0, 0], [at, 0, 0], [-half, 0, 0]
            )

        for rope in range(ropes):
            chain = [ball(0, [points[0][0], rope, points[0][1]])]
            for (x, z), (to_x, to_z) in zip(points, points[1:]):
                turn = math.atan2(z - to_z, to_x - x) / 2
                place = [(x + to_x) / 2, rope, (z + to_z) / 2]
                turned = (0, math.sin(turn), 0, math.cos(turn))
                chain.append(ball(2 * half * MASS, place, turned))
                join(chain[-2], chain[-1], half if len(chain) > 2 else 0)
            if len(held) > 1:
                last = ball(0, [points[-1][0] + half, rope, points[-1][1]])
                join(chain[-1], last)
            if rope == 0:
                self.chain = chain[1:]

    def step(self):
        self.bullet.stepSimulation()

    def slow(self, factor):
        """Does nothing: this simulator has damping."""

    def points(self):
        """Both ends of each ball, so that gaps add to the length."""
        ends = []
        for ball in self.chain:
            (x, _, z), turned = self.bullet.getBasePositionAndOrientation(ball)
            matrix = self.bullet.getMatrixFromQuaternion(turned)
            along, up = matrix[0] * self.half, matrix[6] * self.half
            ends += [(x - along, z - up), (x + along, z + up)]
        return ends

    def index(self, i):
        return (i + 1) // 2


def length(points):
    return sum(map(math.dist, points, points[1:]))


def catenary():
    """The catenary of 1.5 m over 1 m, as a function of the share of its length."""
    low, high = 0.01, 10.0
    while high - low > 1e-12:
        a = (low + high) / 2
        low, high = (a, high) if 2 * a * math.sinh(0.5 / a) > 1.5 else (low, a)
    end = a * math.cosh(0.5 / a)

    def at(share):
        x = a * math.asinh((share - 0.5) * 1.5 / a)
        return 0.5 + x, a * math.cosh(x / a) - end

    return at


@contextlib.contextmanager
def quiet():
    """Suppresses the output of libraries on standard output."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)


def main():
    name, job = sys.argv[1:3]
    segments, ropes = int(sys.argv[3]), int(sys.argv[4])
    simulator = {rival.package: rival for rival in (Mujoco, PyPbd, Bullet)}[name]
    parts, rounds = map(int, sys.argv[6:8] or simulator.asked[job, segments])
    limit = FRAME if (segments, ropes) in simulator.frame_only else float(sys.argv[5])
    hangs = job == "hang"
    start = started(job, segments)
    held = (0, segments) if hangs else (0,)
    try:
        with quiet():
            world = simulator(start, held, ropes, parts, rounds, VISCOSITY if hangs else 0.0)
    except ImportError:
        sys.exit(3)
    known = catenary()
    took = spent = simulated = stretch = 0.0
    off = math.nan
    whole = length(start)
    for frame in range(1, round(limit / FRAME) + 1):
        before = time.process_time()
        with quiet():
            world.step()
        spent += time.process_time() - before
        points = world.points()
        # Propagates NaN, which `max` would drop.
        longer = length(points) / whole - 1
        stretch = max(stretch, longer) if math.isfinite(stretch + longer) else math.nan
        if hangs:
            world.slow(math.exp(-VISCOSITY * FRAME))
            away = max(
                math.dist(point, known(world.index(i) / segments)) for i, point in enumerate(points)
            )
            if not away < 0.01:
                simulated, took = frame * FRAME, math.inf
            elif took == math.inf:
                simulated, took, off = frame * FRAME, spent, away
        else:
            simulated, took = frame * FRAME, spent
            if frame == round(0.4 / FRAME):
                off = math.dist(points[-1], TIP)
    print(importlib.metadata.version(name), simulated, took, stretch, off)


main()
