// Visible share of the key light and of the sky, and light of lamps and reflections.
//
// Visibility of the key comes from one depth map along its direction, of the sky from many small
// ones. A strand is a ribbon at the depth of its axis, so no surface shadows itself, and a rope on
// the ground still shadows the ground. A strand thinner than a texel is drawn one texel wide, with
// less cover.

@group(1) @binding(0) var key_map: texture_2d<f32>;
@group(1) @binding(1) var sky_maps: texture_2d<f32>;
@group(1) @binding(2) var vicinity: texture_2d<f32>;

const VICINITY: f32 = 128.0;

fn in_map(a: vec4<f32>, b: vec4<f32>, c: vec4<f32>, p: vec3<f32>) -> vec3<f32> {
  let q = vec4<f32>(p, 1.0);
  return vec3<f32>(dot(a, q), dot(b, q), dot(c, q));
}

fn around_once(turns: f32) -> vec2<f32> {
  return vec2<f32>(cos(turns * TAU), sin(turns * TAU));
}

// Points distributed evenly over a disc, from the centre outwards.
fn on_disc(i: f32, count: f32, turn: f32) -> vec2<f32> {
  return around_once(i * 0.38196601 + turn) * sqrt((i + 0.5) / count);
}

// Texel of the key map `v` metres aside.
fn key_texel(at: vec2<f32>, v: vec2<f32>) -> vec4<f32> {
  let there = at * g.key_size.x + v / g.key_size.z;
  if (any(there < vec2<f32>(0.0)) || any(there >= vec2<f32>(g.key_size.x))) {
    return vec4<f32>(1.0, 1.0, 1.0, 0.0);
  }
  return textureLoad(key_map, vec2<i32>(there), 0);
}

// Visible share of the key's disc, 0–1.
//
// An occluder at height h above the point hides the part of the disc within h times its tangent, so
// occluders farther aside do not count. First the lowest and the highest occluders are found. Then
// every direction of the disc is followed to both heights, and is hidden if there is an occluder at
// about that height.
fn key_seen(p: vec3<f32>, bias: f32, turn: f32) -> f32 {
  let q = in_map(g.key_map[0], g.key_map[1], g.key_map[2], p);
  let z = q.z * g.key_size.y;
  let taps = g.key_colour.w;
  if (z <= bias || taps == 0.0 || !all_within(q.xy)) {
    return 1.0;
  }
  // Most points have no occluder nearby.
  if (textureLoad(vicinity, vec2<i32>(q.xy * VICINITY), 0).x < 0.5) {
    return 1.0;
  }
  let texel = g.key_size.z;
  let reach = max(min(g.key.w * z, g.key_size.w), texel);
  var lowest = 1e30;
  var highest = 0.0;
  for (var i = 0.0; i < taps; i += 1.0) {
    // Denser near the centre, where low occluders are.
    let aside = i / taps;
    let v = around_once(i * 0.38196601 + turn) * (aside * sqrt(aside) * reach);
    let h = height_of(key_texel(q.xy, v), z);
    if (h > bias && length(v) <= h * g.key.w + 1.5 * texel) {
      lowest = min(lowest, h);
      highest = max(highest, h);
    }
  }
  if (highest == 0.0) {
    return 1.0;
  }
  let two = highest > 1.6 * lowest;
  var hidden = 0.0;
  for (var i = 0.0; i < taps; i += 1.0) {
    let direction = on_disc(i, taps, turn + 0.5);
    var covered = hidden_at(q.xy, direction, z, lowest, bias);
    if (two && covered < 1.0) {
      covered = max(covered, hidden_at(q.xy, direction, z, highest, bias));
    }
    hidden += covered;
  }
  return 1.0 - hidden / taps;
}

fn height_of(m: vec4<f32>, z: f32) -> f32 {
  return select(-1.0, z - depth_of(m) * g.key_size.y, m.w > 0.0);
}

fn hidden_at(at: vec2<f32>, direction: vec2<f32>, z: f32, height: f32, bias: f32) -> f32 {
  let wide = max(g.key.w * height, 0.75 * g.key_size.z);
  let m = key_texel(at, direction * wide);
  let h = height_of(m, z);
  return select(0.0, m.w, h > bias && h > 0.55 * height && h < 1.8 * height);
}

// Unoccluded share of the sky, 0–1, weighted by the cosine.
fn sky_seen(p: vec3<f32>, n: vec3<f32>, bias: f32) -> f32 {
  let count = i32(g.sky_size.x);
  let tile = g.sky_size.z;
  let reach = g.sky_below.w;
  var all = 0.0;
  var seen = 0.0;
  for (var i = 0; i < count; i++) {
    let direction = g.sky_direction[i];
    let slant = dot(n, direction.xyz);
    if (slant <= 0.02) {
      continue;
    }
    all += slant;
    let q = in_map(g.sky_map[3 * i], g.sky_map[3 * i + 1], g.sky_map[3 * i + 2], p);
    var hidden = 0.0;
    if (all_within(q.xy)) {
      let corner = vec2<f32>(f32(i % i32(g.sky_size.y)), f32(i / i32(g.sky_size.y))) * tile;
      let m = textureLoad(sky_maps, vec2<i32>(corner + q.xy * tile), 0);
      let h = (q.z - depth_of(m)) * direction.w;
      hidden = select(0.0, m.w, h > bias && h < reach);
    }
    seen += slant * (1.0 - hidden);
  }
  if (all == 0.0) {
    return 1.0;
  }
  return seen / all;
}

fn all_within(at: vec2<f32>) -> bool {
  return all(at >= vec2<f32>(0.0)) && all(at < vec2<f32>(1.0));
}

// Constants of `lamps.rs`, which explains the formula.
const SHINE: f32 = 150.0;
const POWER: f32 = 170.0;
const NEAR: f32 = 30.0;
const OWN: f32 = 3.0;
const TOGETHER: i32 = 8;

// Least roughness in the light of a bulb, and the roughness from which there are no highlights.
const SHARPEST: f32 = 0.3;
const MATTE: f32 = 0.7;

// Light of bulbs on a surface: matte, and in its highlights.
struct LampLight {
  matte: vec3<f32>,
  shine: vec3<f32>,
};

// A surface that bulbs light: `glass` is true for bulbs themselves.
struct Lit {
  at: vec3<f32>,
  n: vec3<f32>,
  view: vec3<f32>,
  roughness: f32,
  glass: bool,
};

fn of_lamp(lit: Lit, centre: vec3<f32>, radius: f32, power: vec3<f32>, before: LampLight) -> LampLight {
  let towards = centre - lit.at;
  let far = dot(towards, towards);
  let reach = SHINE * radius;
  let area = radius * radius;
  if (far >= reach * reach || (lit.glass && far < OWN * OWN * area)) {
    return before;
  }
  let direction = towards / max(sqrt(far), 1e-12);
  let slant = dot(lit.n, direction);
  if (slant <= 0.0) {
    return before;
  }
  let end = 1.0 - far / (reach * reach);
  let light = power * (POWER * slant * end * end / (far + NEAR * area));
  var sum = before;
  sum.matte += light;
  if (lit.roughness < MATTE) {
    sum.shine += light * gloss(lit.n, lit.view, direction, max(lit.roughness, SHARPEST));
  }
  return sum;
}

fn lamp_light(lit: Lit) -> LampLight {
  var sum = LampLight(vec3<f32>(0.0), vec3<f32>(0.0));
  let count = i32(g.lamp_count.x);
  for (var first = 0; first < count; first += TOGETHER) {
    let group = g.lamp_groups[first / TOGETHER];
    let off = group.xyz - lit.at;
    if (dot(off, off) >= group.w * group.w) {
      continue;
    }
    for (var i = first; i < min(first + TOGETHER, count); i++) {
      let lamp = g.lamps[2 * i];
      sum = of_lamp(lit, lamp.xyz, lamp.w, g.lamps[2 * i + 1].xyz, sum);
    }
  }
  return sum;
}

fn fill(n: vec3<f32>) -> vec3<f32> {
  return mix(g.sky_below.xyz, g.sky_above.xyz, 0.5 + 0.5 * n.z);
}

fn reflection(direction: vec3<f32>, roughness: f32) -> vec3<f32> {
  let soft = 0.06 + 0.5 * roughness;
  let sky = g.sky_above.xyz * (1.15 - 0.35 * max(direction.z, 0.0));
  let bottom = g.sky_below.xyz * (0.55 + 0.7 * (1.0 + min(direction.z, 0.0)));
  let base = mix(bottom, sky, smooth_step(-soft, soft, direction.z));
  let key = g.key.xyz;
  let large = smooth_step(0.86 - soft * 0.5, 0.93 + soft * 0.07, dot(direction, key));
  let side = normalize(vec3<f32>(-key.y, key.x, 0.12));
  let tall = smooth_step(0.9 - soft * 0.6, 0.97, dot(direction, -side)) * 0.6;
  return base + g.key_colour.xyz * (g.sky_above.w * 1.3 * (large + tall));
}

fn gloss(n: vec3<f32>, view: vec3<f32>, key: vec3<f32>, roughness: f32) -> f32 {
  let half = normalize(view + key);
  let a = max(roughness * roughness, 0.004);
  let nh = max(dot(n, half), 0.0);
  let nv = max(dot(n, view), 0.04);
  let nl = max(dot(n, key), 0.0);
  let d = nh * nh * (a * a - 1.0) + 1.0;
  let spread = a * a / (d * d);
  let masked = 0.5 / max(2.0 * nl * nv * (1.0 - a) + (nl + nv) * a, 1e-4);
  return min(spread * masked / PI, 14.0);
}

fn backdrop(direction: vec3<f32>) -> vec4<f32> {
  let up = smooth_step(0.0, 1.0, max(direction.z, 0.0));
  return vec4<f32>(mix(g.level.xyz, g.above.xyz, up), 1.0) * g.level.w;
}
