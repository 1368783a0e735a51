#!/usr/bin/env python3
"""Opens exported .usda files with Pixar's own library and compares what it reads with ours.

    check_usd.py FILE.usda [FILE.csv] ...        needs: pip install usd-core

For every file:
  * Pixar's validators find nothing to complain about;
  * the stage says what ours always say: metres, Z up, rate, first and last frame, default prim;
  * curves and meshes hang together at every frame: counts, indices, one value per point or per
    corner where one is promised, everything finite, boxes that contain what they should
    (Pixar's validators do not look at any of this);
  * what tears says so at the same frames in all of its attributes, is whole between frames as well,
    whichever way they are played, and has no velocity that would carry it across a tear;
  * cameras are rigid, and see something;
  * if its CSV follows, or lies beside it under the same name, exported from the same scene, then
    every strand is there at the same frames, and its positions, widths and twist are exactly the
    32-bit numbers nearest to those in the CSV; and so are the positions of every body that is a
    mesh itself.

Prints one line per file, then what is wrong, then a summary.
Exit code: 0 all well, 1 something differs, 2 could not look.
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

# How many findings of one file are printed; the rest is counted.
SHOWN = 20


class Findings:
    """What is wrong with one file."""

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
                    # Points of a mesh have no thickness.
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
    """The 32-bit numbers of a USD array, one after the other; `None` if it holds others."""
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
    """What has no time samples is the same at all frames, and is looked at once."""
    return frame == first or attribute.GetNumTimeSamples() > 0


def check_stage(stage, findings):
    rate = stage.GetFramesPerSecond()
    findings.expect(UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.z, "upAxis is not Z")
    findings.expect(UsdGeom.GetStageMetersPerUnit(stage) == 1.0, "metersPerUnit is not 1")
    findings.expect(rate == stage.GetTimeCodesPerSecond(),
                    f"{rate} frames but {stage.GetTimeCodesPerSecond()} time codes a second")
    findings.expect(stage.HasAuthoredTimeCodeRange(), "startTimeCode or endTimeCode is missing")
    findings.expect(bool(stage.GetDefaultPrim()), "there is no default prim")


def check_primvars(prim, frame, sizes, where, findings):
    """One value for everything a primvar promises a value for."""
    for primvar in UsdGeom.PrimvarsAPI(prim).GetPrimvarsWithValues():
        kind = primvar.GetInterpolation()
        count = len(primvar.Get(frame))
        findings.expect(count == sizes.get(kind, count),
                        f"{where}: {primvar.GetName()} has {count} values, {kind} means {sizes.get(kind)}")


def check_numbers(prim, frame, first, findings):
    """Everything is finite, and turns are turns."""
    for attribute in prim.GetAttributes():
        if not is_due(attribute, frame, first):
            continue
        held = attribute.Get(frame)
        flat = numbers(held)
        if flat is None:
            continue
        where = f"{prim.GetPath()} at {frame}: {attribute.GetName()}"
        findings.expect(all(map(math.isfinite, flat)), f"{where} holds what is no number")
        if attribute.GetTypeName() == "quatf[]":
            lengths = (math.hypot(*flat[i:i + 4]) for i in range(0, len(flat), 4))
            findings.expect(all(abs(length - 1.0) < 1e-5 for length in lengths),
                            f"{where} has a quaternion that is no turn")


def check_extent(prim, points, margin, frame, where, findings):
    """The box contains the points and their thickness, to the rounding of 32 bits."""
    low, high = value(prim, "extent", frame) or ((0.0,) * 3,) * 2
    flat = numbers(points)
    for axis in range(3):
        along = flat[axis::3] if flat else [0.0]
        slack = 1e-6 * max(1.0, abs(low[axis]), abs(high[axis]))
        if low[axis] > min(along) - margin + slack or high[axis] < max(along) + margin - slack:
            findings.add(f"{where}: the extent misses some of it along {'xyz'[axis]}")


def check_curve(prim, frame, findings, boxed=True):
    where = f"{prim.GetPath()} at {frame}"
    counts = value(prim, "curveVertexCounts", frame)
    points = value(prim, "points", frame)
    widths = value(prim, "widths", frame)
    velocities = value(prim, "velocities", frame)
    findings.expect(sum(counts) == len(points),
                    f"{where}: curveVertexCounts add up to {sum(counts)}, but there are {len(points)} points")
    findings.expect(all(count >= 2 for count in counts), f"{where}: a curve of {list(counts)} points")
    kind = UsdGeom.BasisCurves(prim).GetWidthsInterpolation()
    promised = {"constant": 1, "vertex": len(points)}.get(kind)
    findings.expect(len(widths) == promised, f"{where}: {len(widths)} {kind} widths for {len(points)} points")
    findings.expect(len(velocities) in (0, len(points)), f"{where}: {len(velocities)} velocities")
    if boxed:
        check_extent(prim, points, max(widths, default=0.0) / 2.0, frame, where, findings)
    check_primvars(prim, frame, {"constant": 1, "vertex": len(points)}, where, findings)


def check_mesh(prim, frame, findings, boxed=True):
    where = f"{prim.GetPath()} at {frame}"
    counts = value(prim, "faceVertexCounts", frame)
    corners = value(prim, "faceVertexIndices", frame)
    points = value(prim, "points", frame)
    normals = value(prim, "normals", frame)
    findings.expect(sum(counts) == len(corners),
                    f"{where}: faceVertexCounts add up to {sum(counts)}, but there are {len(corners)} corners")
    findings.expect(all(count >= 3 for count in counts), f"{where}: a face of fewer than 3 corners")
    findings.expect(not corners or 0 <= min(corners) and max(corners) < len(points),
                    f"{where}: a corner outside of the {len(points)} points")
    findings.expect(len(normals) in (0, len(points)), f"{where}: {len(normals)} normals, {len(points)} points")
    if boxed:
        check_extent(prim, points, 0.0, frame, where, findings)
    sizes = {"constant": 1, "vertex": len(points), "faceVarying": len(corners), "uniform": len(counts)}
    check_primvars(prim, frame, sizes, where, findings)


# What must change together with the counts of a curve or the faces of a mesh.
TOGETHER = {
    "curveVertexCounts": ("points", "velocities", "primvars:twist", "primvars:st", "primvars:frame"),
    "faceVertexIndices": ("faceVertexCounts", "points", "normals", "primvars:st"),
}


def check_tears(prim, frames, findings):
    """A prim whose number of points changes, over all frames; says whether it is one."""
    is_curve = prim.IsA(UsdGeom.BasisCurves)
    counts = prim.GetAttribute("curveVertexCounts" if is_curve else "faceVertexIndices")
    times = counts.GetTimeSamples()
    if len({len(prim.GetAttribute("points").Get(frame) or []) for frame in frames}) < 2:
        return False
    findings.expect(list(times) == sorted(frames),
                    f"{prim.GetPath()}: {counts.GetName()} changes, but has samples at {list(times)}")
    for name in TOGETHER[counts.GetName()]:
        attribute = prim.GetAttribute(name)
        findings.expect(not attribute.HasValue() or attribute.GetTimeSamples() == times,
                        f"{prim.GetPath()}: {name} has not the time samples of {counts.GetName()}")
    # Between frames, first forwards and then backwards, as a user would scrub. Boxes are blended there
    # while points that are others are held, so they say nothing.
    between = [frame + 0.5 for frame in frames[:-1]]
    for frame in between + between[::-1]:
        (check_curve if is_curve else check_mesh)(prim, frame, findings, boxed=False)
    if is_curve:
        check_velocities(prim, frames, findings)
    return True


def check_velocities(prim, frames, findings):
    """No point of a curve is carried much farther in a frame than it moves: a velocity that takes one
    piece for another is off by a good part of its length."""
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
        findings.expect(fastest <= 2.0 * most + 0.05 * length,
                        f"{prim.GetPath()} at {frame}: {fastest:.4f} m a frame, but it moves {most:.4f} m")


def check_camera(prim, frame, findings):
    where = f"{prim.GetPath()} at {frame}"
    camera = UsdGeom.Camera(prim).GetCamera(frame)
    axes = [camera.transform.GetRow3(i) for i in range(3)]
    rigid = all(abs(a * b - (i == j)) < 1e-9 for i, a in enumerate(axes) for j, b in enumerate(axes))
    findings.expect(rigid and (axes[0] ^ axes[1]) * axes[2] > 0.0,
                    f"{where}: its axes are {axes}")
    perspective = camera.projection == camera.Perspective
    angle = camera.GetFieldOfView(camera.FOVVertical)
    findings.expect(not perspective or 0.0 < angle < 180.0, f"{where}: it sees {angle} degrees")
    findings.expect(camera.verticalAperture > 0.0, f"{where}: a film of {camera.verticalAperture}")


def compare(prim, frame, ours, findings):
    """One curve at one frame against the CSV; says whether the CSV has it."""
    body, strand = (p.GetAttribute("lariat:name").Get() for p in (prim.GetParent(), prim))
    where = f"{prim.GetPath()} at {frame}"
    expected = ours.strands.get((body, strand, frame))
    drawn = UsdGeom.Imageable(prim).ComputeVisibility(frame) != UsdGeom.Tokens.invisible
    there = expected is not None and len(expected["widths"]) >= 2
    if drawn != there:
        findings.add(f"{where}: {'shown' if drawn else 'hidden'}, but the CSV "
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
            findings.add(f"{where}: {len(theirs)} numbers in {what}, {len(expected[what])} in the CSV")
            continue
        index = next(i for i, (a, b) in enumerate(zip(theirs, expected[what])) if a != b)
        findings.add(f"{where}: number {index} of {what} reads {theirs[index]!r}, "
                     f"the CSV says {expected[what][index]!r}")
    return True


def compare_mesh(prim, frame, ours, findings):
    """One mesh at one frame against the CSV, if it is a body of its own; says whether it is."""
    body, name = (p.GetAttribute("lariat:name").Get() for p in (prim.GetParent(), prim))
    expected = ours.meshes.get((body, name, frame))
    if expected is None:
        return False
    theirs = numbers(value(prim, "points", frame))
    findings.expect(theirs == expected,
                    f"{prim.GetPath()} at {frame}: its points are not those of the CSV")
    return True


def check(path, table):
    """All findings of one file, and what was looked at."""
    findings = Findings()
    looked = {"curves": 0, "meshes": 0, "cameras": 0, "frames": 0, "compared": 0, "torn": 0}
    try:
        stage = Usd.Stage.Open(str(path))
    except Tf.ErrorException as error:
        findings.add(f"does not open: {error}")
        return findings, looked

    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    for error in UsdValidation.ValidationContext(validators).Validate(stage):
        findings.add(f"{error.GetName()}: {error.GetMessage()}")
    check_stage(stage, findings)

    ours = Csv(table) if table else None
    # Prims keep their time samples apart, so whatever any of them has is a frame to look at.
    frames = set(ours.frames) if ours else set()
    prims = [prim for prim in stage.Traverse() if prim.IsA(UsdGeom.PointBased)]
    for prim in prims:
        frames.update(int(t) for t in prim.GetAttribute("points").GetTimeSamples())
    frames = sorted(frames or {int(stage.GetStartTimeCode())})
    findings.expect(stage.GetStartTimeCode() <= frames[0] and frames[-1] <= stage.GetEndTimeCode(),
                    f"frames {frames[0]} to {frames[-1]} lie outside of the stage's")
    looked["frames"] = len(frames)

    found, meshes = 0, 0
    has_curves = any(prim.IsA(UsdGeom.BasisCurves) for prim in prims)
    for prim in prims:
        is_curve = prim.IsA(UsdGeom.BasisCurves)
        looked["curves" if is_curve else "meshes"] += 1
        for frame in frames:
            (check_curve if is_curve else check_mesh)(prim, frame, findings)
            check_numbers(prim, frame, frames[0], findings)
            if ours and is_curve:
                found += compare(prim, frame, ours, findings)
            elif ours:
                meshes += compare_mesh(prim, frame, ours, findings)
        looked["torn"] += check_tears(prim, frames, findings)
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Camera):
            looked["cameras"] += 1
            for frame in frames:
                check_camera(prim, frame, findings)
    if ours:
        findings.expect(meshes == len(ours.meshes),
                        f"the CSV has {len(ours.meshes)} meshes at frames, the file {meshes}")
    if ours and has_curves:
        looked["compared"] = found
        expected = sum(len(strand["widths"]) >= 2 for strand in ours.strands.values())
        findings.expect(found == expected, f"the CSV has {expected} strands at frames, the file {found}")
    return findings, looked


def pairs(arguments):
    """Every .usda with the .csv that follows it, or lies beside it, or none."""
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
        print(f"not there: {', '.join(map(str, missing))}" if missing else __doc__, file=sys.stderr)
        return 2
    wrong, compared = 0, 0
    for path, table in files:
        findings, looked = check(path, table)
        compared += looked["compared"]
        wrong += bool(findings.texts)
        print(f"{'FAIL' if findings.texts else 'ok  '} {path.name}: {looked['curves']} curves, "
              f"{looked['meshes']} meshes, {looked['torn']} that change their points, "
              f"{looked['cameras']} cameras, {looked['frames']} frames, "
              f"{looked['compared']} strands compared with the CSV")
        for text in findings.texts[:SHOWN]:
            print(f"     {text}")
        if len(findings.texts) > SHOWN:
            print(f"     and {len(findings.texts) - SHOWN} more")
    print(f"{len(files) - wrong} of {len(files)} files are well, {compared} strands compared exactly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
