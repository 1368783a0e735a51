#!/usr/bin/env python3
"""Opens exported .usda files with Pixar's library and compares them with the CSV export.

    check_usd.py FILE.usda [FILE.csv] ...        needs: pip install usd-core

For every file:
  * Pixar's validators report no errors;
  * the stage has metres, Z up, a frame rate, first and last frame, and a default prim;
  * curves and meshes are consistent at every frame: counts, indices, the number of values of each
    interpolation, finite values, extents that contain the points (none of which Pixar's validators
    check);
  * a prim that tears has the same sample times in all of its attributes, is consistent between
    frames too, in both directions, and has no velocity across a tear;
  * cameras are rigid and have a valid angle of view;
  * with a CSV of the same scene, as the next argument or beside the file under the same name, every
    strand exists at the same frames, and its positions, widths and twist are exactly the nearest
    32-bit numbers to those in the CSV, and so are the positions of mesh bodies.

Prints one line per file, then its problems, then a summary.
Exit code: 0 no problems, 1 problems, 2 the check could not run.
"""

import csv
import math
import sys
from array import array
from pathlib import Path

try:
    from pxr import Tf, Usd, UsdGeom, UsdValidation
except ImportError:
    print("usd-core is not installed: pip install usd-core", file=sys.stderr)
    sys.exit(2)

# Number of problems printed per file; further ones are counted.
SHOWN = 20


class Problems:
    """Problems of one file."""

    def __init__(self):
        self.texts = []

    def add(self, text):
        self.texts.append(text)

    def expect(self, holds, text):
        if not holds:
            self.add(text)


class Csv:
    """Strands of a CSV file by body, strand and frame, as 32-bit numbers."""

    def __init__(self, path):
        self.strands = {}
        self.meshes = {}
        self.frames = set()
        with open(path, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                frame = int(row["frame"])
                self.frames.add(frame)
                key = (row["body"], row["strand"], frame)
                if not row["radius"]:
                    # Points of a mesh have no radius.
                    place = (float(row["x"]), float(row["y"]), float(row["z"]))
                    self.meshes.setdefault(key, array("f")).extend(place)
                    continue
                strand = self.strands.setdefault(key, {"points": array("f"), "widths": array("f"),
                                                       "twist": array("f")})
                # array("f") rounds a double to the nearest 32-bit number, as the exporter does.
                strand["points"].extend((float(row["x"]), float(row["y"]), float(row["z"])))
                strand["widths"].append(2.0 * float(row["radius"]))
                strand["twist"].append(float(row["twist_degrees"]))


def numbers(values):
    """The 32-bit numbers of a USD array, flattened; `None` for other types."""
    try:
        view = memoryview(values)
    except TypeError:
        return None
    if view.format not in ("f", "i"):
        return None
    out = array(view.format)
    out.frombytes(view.tobytes())
    return out


def value(prim, name, frame):
    found = prim.GetAttribute(name).Get(frame)
    return [] if found is None else found


def is_due(attribute, frame, first):
    """Checks values without time samples once, because they are constant."""
    return frame == first or attribute.GetNumTimeSamples() > 0


def check_stage(stage, problems):
    rate = stage.GetFramesPerSecond()
    problems.expect(UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z, "upAxis is not Z")
    problems.expect(UsdGeom.GetStageMetersPerUnit(stage) == 1.0, "metersPerUnit is not 1")
    problems.expect(rate == stage.GetTimeCodesPerSecond(),
                    f"{rate} frames but {stage.GetTimeCodesPerSecond()} time codes per second")
    problems.expect(stage.HasAuthoredTimeCodeRange(), "startTimeCode or endTimeCode is missing")
    problems.expect(bool(stage.GetDefaultPrim()), "there is no default prim")


def check_primvars(prim, frame, sizes, where, problems):
    """Checks the number of values of a primvar against its interpolation."""
    for primvar in UsdGeom.PrimvarsAPI(prim).GetPrimvarsWithValues():
        kind = primvar.GetInterpolation()
        count = len(primvar.Get(frame))
        problems.expect(count == sizes.get(kind, count),
                        f"{where}: {primvar.GetName()} has {count} values, {kind} means {sizes.get(kind)}")


def check_numbers(prim, frame, first, problems):
    """Checks that all values are finite and quaternions are unit."""
    for attribute in prim.GetAttributes():
        if not is_due(attribute, frame, first):
            continue
        held = attribute.Get(frame)
        flat = numbers(held)
        if flat is None:
            continue
        where = f"{prim.GetPath()} at {frame}: {attribute.GetName()}"
        problems.expect(all(map(math.isfinite, flat)), f"{where} has a value that is not finite")
        if attribute.GetTypeName() == "quatf[]":
            lengths = (math.hypot(*flat[i:i + 4]) for i in range(0, len(flat), 4))
            problems.expect(all(abs(length - 1.0) < 1e-5 for length in lengths),
                            f"{where} has a quaternion that is not unit")


def check_extent(prim, points, margin, frame, where, problems):
    """The box contains the points and their thickness, to the rounding of 32 bits."""
    low, high = value(prim, "extent", frame) or ((0.0,) * 3,) * 2
    flat = numbers(points)
    for axis in range(3):
        along = flat[axis::3] if flat else [0.0]
        slack = 1e-6 * max(1.0, abs(low[axis]), abs(high[axis]))
        if low[axis] > min(along) - margin + slack or high[axis] < max(along) + margin - slack:
            problems.add(f"{where}: the extent does not contain all points along {'xyz'[axis]}")


def check_curve(prim, frame, problems, boxed=True):
    where = f"{prim.GetPath()} at {frame}"
    counts = value(prim, "curveVertexCounts", frame)
    points = value(prim, "points", frame)
    widths = value(prim, "widths", frame)
    velocities = value(prim, "velocities", frame)
    problems.expect(sum(counts) == len(points),
                    f"{where}: curveVertexCounts add up to {sum(counts)}, but there are {len(points)} points")
    problems.expect(all(count >= 2 for count in counts), f"{where}: a curve of {list(counts)} points")
    kind = UsdGeom.BasisCurves(prim).GetWidthsInterpolation()
    promised = {"constant": 1, "vertex": len(points)}.get(kind)
    problems.expect(len(widths) == promised, f"{where}: {len(widths)} {kind} widths for {len(points)} points")
    problems.expect(len(velocities) in (0, len(points)), f"{where}: {len(velocities)} velocities")
    if boxed:
        check_extent(prim, points, max(widths, default=0.0) / 2.0, frame, where, problems)
    check_primvars(prim, frame, {"constant": 1, "vertex": len(points)}, where, problems)


def check_mesh(prim, frame, problems, boxed=True):
    where = f"{prim.GetPath()} at {frame}"
    counts = value(prim, "faceVertexCounts", frame)
    corners = value(prim, "faceVertexIndices", frame)
    points = value(prim, "points", frame)
    normals = value(prim, "normals", frame)
    problems.expect(sum(counts) == len(corners),
                    f"{where}: faceVertexCounts add up to {sum(counts)}, but there are {len(corners)} corners")
    problems.expect(all(count >= 3 for count in counts), f"{where}: a face of fewer than 3 corners")
    problems.expect(not corners or 0 <= min(corners) and max(corners) < len(points),
                    f"{where}: a corner outside of the {len(points)} points")
    problems.expect(len(normals) in (0, len(points)), f"{where}: {len(normals)} normals, {len(points)} points")
    if boxed:
        check_extent(prim, points, 0.0, frame, where, problems)
    sizes = {"constant": 1, "vertex": len(points), "faceVarying": len(corners), "uniform": len(counts)}
    check_primvars(prim, frame, sizes, where, problems)


# Attributes that must change together with the counts of a curve or the faces of a mesh.
TOGETHER = {
    "curveVertexCounts": ("points", "velocities", "primvars:twist", "primvars:st", "primvars:frame"),
    "faceVertexIndices": ("faceVertexCounts", "points", "normals", "primvars:st"),
}


def check_tears(prim, frames, problems):
    """Checks a prim whose number of points changes, over all frames; returns whether it is one."""
    is_curve = prim.IsA(UsdGeom.BasisCurves)
    counts = prim.GetAttribute("curveVertexCounts" if is_curve else "faceVertexIndices")
    times = counts.GetTimeSamples()
    if len({len(prim.GetAttribute("points").Get(frame) or []) for frame in frames}) < 2:
        return False
    problems.expect(list(times) == sorted(frames),
                    f"{prim.GetPath()}: {counts.GetName()} changes, but has samples at {list(times)}")
    for name in TOGETHER[counts.GetName()]:
        attribute = prim.GetAttribute(name)
        problems.expect(not attribute.HasValue() or attribute.GetTimeSamples() == times,
                        f"{prim.GetPath()}: the time samples of {name} differ from those of {counts.GetName()}")
    # Between frames, first forwards and then backwards, as in scrubbing. Extents are interpolated there
    # while points of different topology are held, so extents are not checked.
    between = [frame + 0.5 for frame in frames[:-1]]
    for frame in between + between[::-1]:
        (check_curve if is_curve else check_mesh)(prim, frame, problems, boxed=False)
    if is_curve:
        check_velocities(prim, frames, problems)
    return True


def check_velocities(prim, frames, problems):
    """Checks that no velocity moves a point much farther in a frame than it really moves: a velocity
    between two different pieces is off by a large part of their length."""
    rate = prim.GetStage().GetTimeCodesPerSecond()
    visible = UsdGeom.Imageable(prim)
    for before, frame, after in zip(frames, frames[1:], frames[2:]):
        now = value(prim, "points", frame)
        velocities = value(prim, "velocities", frame)
        if not velocities or visible.ComputeVisibility(frame) == UsdGeom.Tokens.invisible:
            continue
        sides = [value(prim, "points", at) for at in (before, after)
                 if visible.ComputeVisibility(at) != UsdGeom.Tokens.invisible]
        sides = [side for side in sides if len(side) == len(now)]
        if not sides:
            continue
        most = max((a - b).GetLength() for side in sides for a, b in zip(now, side))
        fastest = max(v.GetLength() for v in velocities) / rate
        length = sum((b - a).GetLength() for a, b in zip(now, now[1:]))
        problems.expect(fastest <= 2.0 * most + 0.05 * length,
                        f"{prim.GetPath()} at {frame}: {fastest:.4f} m per frame, but it moves {most:.4f} m")


def check_camera(prim, frame, problems):
    where = f"{prim.GetPath()} at {frame}"
    camera = UsdGeom.Camera(prim).GetCamera(frame)
    axes = [camera.transform.GetRow3(i) for i in range(3)]
    rigid = all(abs(a * b - (i == j)) < 1e-9 for i, a in enumerate(axes) for j, b in enumerate(axes))
    problems.expect(rigid and (axes[0] ^ axes[1]) * axes[2] > 0.0,
                    f"{where}: its axes are {axes}")
    perspective = camera.projection == camera.Perspective
    angle = camera.GetFieldOfView(camera.FOVVertical)
    problems.expect(not perspective or 0.0 < angle < 180.0, f"{where}: its angle of view is {angle} degrees")
    problems.expect(camera.verticalAperture > 0.0, f"{where}: its aperture is {camera.verticalAperture}")


def compare(prim, frame, ours, problems):
    """Compares one curve at one frame with the CSV; returns whether the CSV has it."""
    body, strand = (p.GetAttribute("lariat:name").Get() for p in (prim.GetParent(), prim))
    where = f"{prim.GetPath()} at {frame}"
    expected = ours.strands.get((body, strand, frame))
    drawn = UsdGeom.Imageable(prim).ComputeVisibility(frame) != UsdGeom.Tokens.invisible
    there = expected is not None and len(expected["widths"]) >= 2
    if drawn != there:
        problems.add(f"{where}: {'shown' if drawn else 'hidden'}, but the CSV "
                     f"{'has' if there else 'does not have'} `{strand}` of `{body}`")
        return False
    if not there:
        return False
    points = value(prim, "points", frame)
    widths = numbers(value(prim, "widths", frame))
    if len(widths) == 1:
        widths *= len(points)
    twist = numbers(value(prim, "primvars:twist", frame))
    for what, theirs in (("points", numbers(points)), ("widths", widths), ("twist", twist)):
        if theirs == expected[what]:
            continue
        if len(theirs) != len(expected[what]):
            problems.add(f"{where}: {len(theirs)} numbers in {what}, {len(expected[what])} in the CSV")
            continue
        index = next(i for i, (a, b) in enumerate(zip(theirs, expected[what])) if a != b)
        problems.add(f"{where}: number {index} of {what} reads {theirs[index]!r}, "
                     f"the CSV has {expected[what][index]!r}")
    return True


def compare_mesh(prim, frame, ours, problems):
    """Compares one mesh at one frame with the CSV, if it is a body; returns whether it is."""
    body, name = (p.GetAttribute("lariat:name").Get() for p in (prim.GetParent(), prim))
    expected = ours.meshes.get((body, name, frame))
    if expected is None:
        return False
    theirs = numbers(value(prim, "points", frame))
    problems.expect(theirs == expected,
                    f"{prim.GetPath()} at {frame}: its points differ from those of the CSV")
    return True


def check(path, table):
    """All problems of one file, and counts of the checked items."""
    problems = Problems()
    counted = {"curves": 0, "meshes": 0, "cameras": 0, "frames": 0, "compared": 0, "torn": 0}
    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException as error:
        problems.add(f"cannot be opened: {error}")
        return problems, counted

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    for error in UsdValidation.ValidationContext(validators).Validate(stage):
        problems.add(f"{error.GetName()}: {error.GetMessage()}")
    check_stage(stage, problems)

    ours = Csv(table) if table else None
    # Prims have separate time samples, so the frames are the union of all.
    frames = set(ours.frames) if ours else set()
    prims = [prim for prim in stage.Traverse() if prim.IsA(UsdGeom.PointBased)]
    for prim in prims:
        frames.update(int(t) for t in prim.GetAttribute("points").GetTimeSamples())
    frames = sorted(frames or {int(stage.GetStartTimeCode())})
    problems.expect(stage.GetStartTimeCode() <= frames[0] and frames[-1] <= stage.GetEndTimeCode(),
                    f"frames {frames[0]} to {frames[-1]} are outside the range of the stage")
    counted["frames"] = len(frames)

    found, meshes = 0, 0
    has_curves = any(prim.IsA(UsdGeom.BasisCurves) for prim in prims)
    for prim in prims:
        is_curve = prim.IsA(UsdGeom.BasisCurves)
        counted["curves" if is_curve else "meshes"] += 1
        for frame in frames:
            (check_curve if is_curve else check_mesh)(prim, frame, problems)
            check_numbers(prim, frame, frames[0], problems)
            if ours and is_curve:
                found += compare(prim, frame, ours, problems)
            elif ours:
                meshes += compare_mesh(prim, frame, ours, problems)
        counted["torn"] += check_tears(prim, frames, problems)
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Camera):
            counted["cameras"] += 1
            for frame in frames:
                check_camera(prim, frame, problems)
    if ours:
        problems.expect(meshes == len(ours.meshes),
                        f"the CSV has {len(ours.meshes)} meshes at frames, the file {meshes}")
    if ours and has_curves:
        counted["compared"] = found
        expected = sum(len(strand["widths"]) >= 2 for strand in ours.strands.values())
        problems.expect(found == expected, f"the CSV has {expected} strands at frames, the file {found}")
    return problems, counted


def pairs(arguments):
    """Pairs every .usda with the .csv that follows it or is beside it, if any."""
    out = []
    for path in map(Path, arguments):
        if path.suffix == ".csv" and out:
            out[-1] = (out[-1][0], path)
            continue
        beside = path.with_suffix(".csv")
        out.append((path, beside if beside.is_file() else None))
    return out


def main(arguments):
    files = pairs(arguments)
    missing = [path for pair in files for path in pair if path and not path.is_file()]
    if not files or missing:
        print(f"missing: {', '.join(map(str, missing))}" if missing else __doc__, file=sys.stderr)
        return 2
    wrong, compared = 0, 0
    for path, table in files:
        problems, counted = check(path, table)
        compared += counted["compared"]
        wrong += bool(problems.texts)
        print(f"{'FAIL' if problems.texts else 'ok  '} {path.name}: {counted['curves']} curves, "
              f"{counted['meshes']} meshes, {counted['torn']} with changing points, "
              f"{counted['cameras']} cameras, {counted['frames']} frames, "
              f"{counted['compared']} strands compared with the CSV")
        for text in problems.texts[:SHOWN]:
            print(f"     {text}")
        if len(problems.texts) > SHOWN:
            print(f"     and {len(problems.texts) - SHOWN} more")
    print(f"{len(files) - wrong} of {len(files)} files are valid, {compared} strands compared exactly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
