// Guides over the finished picture: lines, points and outlines, in exact colours. `guides.rs` fills
// the buffers.

// 1 for the parts behind strands and meshes.
override BEHIND: i32 = 0;

// 1 if the target encodes colours itself.
override LINEAR: i32 = 0;

// Factor on depth, slightly nearer: guides on a surface are in front of it.
const NEARER: f32 = 1.0005;

struct Drawn {
  @builtin(position) clip: vec4<f32>,
  @location(0) colour: vec4<f32>,
  @location(1) place: vec4<f32>,                  // across in pixels; half of the width, 1 for lines
  @location(2) @interpolate(flat) shape: f32,
};

// Half of the target, in pixels.
fn half_size() -> vec2<f32> {
  return vec2<f32>(g.right.w, g.up.w) / outline.more.y;
}

fn nothing() -> Drawn {
  return Drawn(vec4<f32>(0.0, 0.0, -1.0, 0.0), vec4<f32>(0.0), vec4<f32>(0.0), 0.0);
}

// The part of the segment from `p` to `q` before the eye starts here. Depth is 1 at the eye.
fn before_eye(p: vec4<f32>, q: vec4<f32>) -> vec4<f32> {
  let least = 1.001 * p.z;
  if (g.eye.w < 0.5 || p.w >= least) {
    return p;
  }
  return mix(p, q, (least - p.w) / (q.w - p.w));
}

fn in_pixels(p: vec4<f32>) -> vec2<f32> {
  return p.xy / p.w * half_size();
}

fn shown_depth(p: vec4<f32>) -> f32 {
  return min(p.z / p.w * select(1.0 + 1e-6, NEARER, g.eye.w > 0.5), 1.0);
}

struct Line {
  @location(0) before: vec4<f32>,   // width
  @location(1) a: vec4<f32>,        // factor on alpha of hidden parts
  @location(2) b: vec4<f32>,
  @location(3) after: vec4<f32>,
  @location(4) colour_a: vec4<f32>,
  @location(5) colour_b: vec4<f32>,
};

// Direction across a line at a joint: the mitre between two directions, at most twice as wide.
fn across(here: vec2<f32>, other: vec2<f32>) -> vec2<f32> {
  let n = vec2<f32>(-here.y, here.x);
  if (dot(other, other) < 0.5 || dot(here, other) < -0.3) {
    return n;
  }
  let middle = normalize(here + other);
  let m = vec2<f32>(-middle.y, middle.x);
  return m / max(dot(m, n), 0.5);
}

fn direction(from_: vec2<f32>, to: vec2<f32>) -> vec2<f32> {
  let d = to - from_;
  let long = length(d);
  if (long < 1e-4) {
    return vec2<f32>(0.0);
  }
  return d / long;
}

@vertex fn line(v: Line, @builtin(vertex_index) i: u32) -> Drawn {
  let a = g.view * vec4<f32>(v.a.xyz, 1.0);
  let b = g.view * vec4<f32>(v.b.xyz, 1.0);
  if (g.eye.w > 0.5 && a.w < 1.001 * a.z && b.w < 1.001 * b.z) {
    return nothing();
  }
  let p = before_eye(a, b);
  let q = before_eye(b, a);
  let at_a = in_pixels(p);
  let at_b = in_pixels(q);
  let here = direction(at_a, at_b);
  let first = i == 0u || i == 1u || i == 3u;
  let end = select(q, p, first);
  var neighbour = g.view * vec4<f32>(select(v.after.xyz, v.before.xyz, first), 1.0);
  var other = vec2<f32>(0.0);
  if (neighbour.w >= 1.001 * neighbour.z || g.eye.w < 0.5) {
    let there = in_pixels(neighbour);
    other = select(direction(at_b, there), direction(there, at_a), first);
  }
  var n = across(here, other);
  if (dot(here, here) < 0.5) {
    n = vec2<f32>(0.0, 1.0);
  }
  let side = select(-1.0, 1.0, i == 0u || i == 2u || i == 5u);
  let half = 0.5 * v.before.w;
  let wide = half + 1.0;
  let at = select(at_b, at_a, first) + n * (side * wide);
  var colour = select(v.colour_b, v.colour_a, first);
  if (BEHIND == 1) {
    colour.w *= v.a.w;
  }
  // Not in perspective: the width is in pixels.
  let clip = vec4<f32>(at / half_size(), shown_depth(end), 1.0);
  return Drawn(clip, colour, vec4<f32>(side * wide, 0.0, half, 1.0), 0.0);
}

struct Dot {
  @location(0) at: vec4<f32>,       // radius in pixels
  @location(1) colour: vec4<f32>,
  @location(2) more: vec4<f32>,     // shape, factor on alpha of hidden parts
};

@vertex fn dot_corner(v: Dot, @builtin(vertex_index) i: u32) -> Drawn {
  let p = g.view * vec4<f32>(v.at.xyz, 1.0);
  if (g.eye.w > 0.5 && p.w < 1.001 * p.z) {
    return nothing();
  }
  var corners = array<vec2<f32>, 6>(
    vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0),
    vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, 1.0), vec2<f32>(-1.0, 1.0));
  let off = corners[i] * (v.at.w + 1.5) * select(1.0, 1.5, v.more.x > 2.5);
  var colour = v.colour;
  if (BEHIND == 1) {
    colour.w *= v.more.y;
  }
  let clip = vec4<f32>((in_pixels(p) + off) / half_size(), shown_depth(p), 1.0);
  return Drawn(clip, colour, vec4<f32>(off, v.at.w, 0.0), v.more.x);
}

fn linear_of(c: vec3<f32>) -> vec3<f32> {
  let low = c / 12.92;
  let high = pow((max(c, vec3<f32>(0.0)) + 0.055) / 1.055, vec3<f32>(2.4));
  return select(high, low, c <= vec3<f32>(0.04045));
}

fn inked(colour: vec4<f32>, cover: f32) -> vec4<f32> {
  let alpha = clamp(colour.w * cover, 0.0, 1.0);
  var shown = colour.xyz;
  if (LINEAR == 1) {
    shown = linear_of(shown);
  }
  return vec4<f32>(shown * alpha, alpha);
}

@fragment fn ink(v: Drawn) -> @location(0) vec4<f32> {
  let off = v.place.xy;
  let size = v.place.z;
  var beyond = abs(off.x) - size;
  if (v.place.w < 0.5) {
    if (v.shape < 0.5) {
      beyond = length(off) - size;
    } else if (v.shape < 1.5) {
      beyond = abs(length(off) - size + 1.0) - 1.0;
    } else if (v.shape < 2.5) {
      beyond = max(abs(off.x), abs(off.y)) - size;
    } else {
      beyond = (abs(off.x) + abs(off.y)) * 0.70710678 - size;
    }
  }
  // A line thinner than a pixel is paler.
  let cover = clamp(0.5 - beyond, 0.0, 1.0) * min(2.0 * size, 1.0);
  return inked(v.colour, cover);
}

// Depth of strands and meshes, and their outlines: the far side of the same surface, drawn several
// times, each time moved in another direction by the width of the outline. Unlike a surface that is
// inflated along its normals, the copies also meet beyond flat ends and sharp edges.

struct Outline {
  colour: vec4<f32>,
  more: vec4<f32>,    // width in pixels; pixels of the picture per pixel of the target; direction
};

@group(1) @binding(0) var<uniform> outline: Outline;

override HULL: i32 = 0;

const THIN: f32 = 0.6;

struct Solid {
  @builtin(position) clip: vec4<f32>,
  @location(0) @interpolate(flat) colour: vec4<f32>,
};

fn solid(at: vec3<f32>) -> Solid {
  var out = Solid(g.view * vec4<f32>(at, 1.0), vec4<f32>(0.0));
  if (HULL == 1) {
    out.colour = outline.colour;
    let moved = outline.more.zw * (outline.more.x / half_size());
    out.clip = vec4<f32>(out.clip.xy + moved * out.clip.w, out.clip.zw);
  }
  return out;
}

fn around(k0: vec4<f32>, k1: vec4<f32>, k2: vec4<f32>, ring: vec4<f32>) -> vec3<f32> {
  let radius = max(k0.w, THIN * pixel_at(distance_to(k0.xyz))) * ring.w;
  return k0.xyz + (ring.x * k2.xyz + ring.y * cross(k1.xyz, k2.xyz)) * radius;
}

struct Joint {
  @location(0) a0: vec4<f32>, @location(1) a1: vec4<f32>, @location(2) a2: vec4<f32>, @location(4) a4: vec4<f32>,
  @location(5) b0: vec4<f32>, @location(6) b1: vec4<f32>, @location(7) b2: vec4<f32>,
};

@vertex fn tube_solid(link: Joint, @location(10) ring: vec4<f32>, @location(11) end: f32) -> Solid {
  if (link.a4.w > 0.5) {
    return Solid(vec4<f32>(0.0, 0.0, -1.0, 0.0), vec4<f32>(0.0));
  }
  let k0 = select(link.a0, link.b0, end > 0.5);
  let k1 = select(link.a1, link.b1, end > 0.5);
  let k2 = select(link.a2, link.b2, end > 0.5);
  return solid(around(k0, k1, k2, ring));
}

// A flat end. `end` is 0 at its middle.
@vertex fn cap_solid(link: Joint, @location(10) ring: vec4<f32>, @location(11) end: f32) -> Solid {
  return solid(around(link.a0, link.a1, link.a2, vec4<f32>(ring.xyz, ring.w * end)));
}

@vertex fn facet_solid(@location(0) at: vec4<f32>) -> Solid {
  return solid(at.xyz);
}

@fragment fn solid_ink(v: Solid) -> @location(0) vec4<f32> {
  return inked(v.colour, 1.0);
}
