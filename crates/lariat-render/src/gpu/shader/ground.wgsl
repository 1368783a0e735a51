// The ground and the background. Water has the formulas of `water.rs`; it mirrors the sky, but no
// strand or mesh.

@group(2) @binding(0) var ground_open: texture_2d<f32>;
@group(2) @binding(1) var linear: sampler;

struct OnGround {
  @builtin(position) clip: vec4<f32>,
  @location(0) at: vec3<f32>,
};

@vertex fn plane(@builtin(vertex_index) i: u32) -> OnGround {
  var corners = array<vec2<f32>, 6>(
    vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0),
    vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, 1.0), vec2<f32>(-1.0, 1.0));
  let at = g.ground_place.xyz + vec3<f32>(corners[i] * g.ground_place.w, 0.0);
  return OnGround(g.view * vec4<f32>(at, 1.0), at);
}

fn line(x: f32, wide: f32, spacing: f32, width: f32) -> f32 {
  let cell = x / spacing;
  let off = abs(cell - round(cell)) * spacing;
  let blur = max(wide, width);
  return (1.0 - smooth_step(0.0, blur, off)) * (width / blur);
}

fn grid(p: vec2<f32>, wide: vec2<f32>, spacing: f32, width: f32) -> f32 {
  return max(line(p.x, wide.x, spacing, width), line(p.y, wide.y, spacing, width));
}

fn lines(at: vec3<f32>, direction: vec3<f32>, pixel: f32) -> f32 {
  let level = length(direction.xy);
  var stretch = vec2<f32>(0.0);
  if (level > 0.0) {
    stretch = abs(direction.xy) / level;
  }
  let longer = 1.0 / max(abs(direction.z), 1e-3) - 1.0;
  let wide = (1.0 + stretch * longer) * pixel;
  let s = g.grid.x;
  let p = at.xy + g.grid.yz;
  return max(0.5 * grid(p, wide, s, 0.014 * s), grid(p, wide, 5.0 * s, 0.022 * s));
}

const BENT: f32 = 5.0;
const WET: f32 = 0.22;

// Slopes of the water, and the mean square of those that are smaller than a pixel.
fn slopes(at: vec2<f32>, ahead: vec2<f32>, aside: vec2<f32>) -> vec3<f32> {
  var sum = vec3<f32>(0.0);
  for (var i = 0; i < 8; i++) {
    let ripple = g.ripples[i];
    let along = ripple.xy / length(ripple.xy);
    let covered = abs(dot(ripple.xy, ahead)) + abs(dot(ripple.xy, aside));
    let kept = 1.0 - smooth_step(0.25, 0.8, covered);
    let turns = dot(ripple.xy, at) + ripple.z + BENT * dot(sum.xy, along);
    let wave = cos(turns * TAU) + 0.3 * cos(2.0 * turns * TAU);
    sum += vec3<f32>(along * (ripple.w * kept * wave), 0.5 * ripple.w * ripple.w * (1.0 - kept * kept));
  }
  return sum;
}

fn water_fresnel(facing: f32, lost: f32) -> f32 {
  let f = 1.0 - clamp(facing, 0.0, 1.0);
  let rough = sqrt(max(lost, 0.0));
  return 0.02 + 0.98 * f * f * f * f * f / (1.0 + 22.7 * rough * sqrt(rough));
}

fn water(at: vec3<f32>, direction: vec3<f32>, shadow: f32, open: f32) -> vec3<f32> {
  let view = -direction;
  let pixel = pixel_at(distance_to(at));
  let level = length(direction.xy);
  var ahead = vec2<f32>(0.0, pixel);
  if (level > 0.0) {
    ahead = direction.xy / level * pixel;
  }
  let aside = vec2<f32>(ahead.y, -ahead.x);
  ahead /= max(abs(direction.z), 0.02);
  let key_light = g.key_colour.xyz * shadow;
  let sky = g.sky_above.xyz * open;
  let depth = g.ground.xyz * (key_light * max(g.key.z, 0.0) + sky);
  var sum = vec3<f32>(0.0);
  // Four places of a pixel, evenly distributed: the ground is shaded once per pixel.
  for (var k = 0; k < 4; k++) {
    let x = array<f32, 4>(-0.125, 0.375, 0.125, -0.375)[k];
    let y = array<f32, 4>(-0.375, -0.125, 0.375, 0.125)[k];
    let place = at + vec3<f32>(aside * x - ahead * y, 0.0);
    let s = slopes(place.xy, ahead * 0.5, aside * 0.5);
    let n = normalize(vec3<f32>(-s.xy, 1.0));
    let mirror = water_fresnel(clamp(dot(n, view), 0.02, 1.0), s.z);
    var back = n * (2.0 * dot(n, view)) - view;
    back.z = max(abs(back.z), 0.01);
    back = normalize(back);
    let seen = select(sky, backdrop(back).xyz, g.level.w > 0.5);
    let roughness = WET + sqrt(s.z);
    let half = water_fresnel(dot(view, normalize(view + g.key.xyz)), 0.0);
    let sun = key_light * (gloss(n, view, g.key.xyz, roughness) * max(dot(n, g.key.xyz), 0.0) * half);
    let bulbs = lamp_light(Lit(place, n, view, roughness, false)).shine * mirror;
    sum += (seen * mirror + depth * (1.0 - mirror) + sun + bulbs) * 0.25;
  }
  return sum;
}

@fragment fn ground(v: OnGround) -> @location(0) vec4<f32> {
  let at = v.at;
  let direction = direction_to(at);
  let nothing = backdrop(direction);
  let there = 1.0 - smooth_step(0.3, 1.0, length(at - g.ground_place.xyz) / g.ground_place.w);
  var shadow = 1.0;
  if (all(at.xy >= g.shaded.xy) && all(at.xy <= g.shaded.zw)) {
    shadow = key_seen(at, 0.5 * g.key_size.z, dither(v.clip.xy));
  }
  let baked = (at.xy - g.open.xy) / g.open.zw;
  var open = 1.0;
  var bulbs = vec3<f32>(0.0);
  if (all_within(baked)) {
    let found = textureSampleLevel(ground_open, linear, baked, 0.0);
    if (SIMPLE == 1) {
      open = found.w;
      bulbs = found.xyz;
    } else {
      open = found.x;
    }
  }
  if (g.lamp_count.y > 0.5) {
    let wet = water(at, direction, shadow, open);
    return vec4<f32>(mix(nothing.xyz, wet, there), nothing.w + (1.0 - nothing.w) * there);
  }
  let key = g.key_colour.xyz * max(g.key.z, 0.0);
  if (SIMPLE == 0) {
    bulbs = lamp_light(Lit(at, vec3<f32>(0.0, 0.0, 1.0), -direction, 1.0, false)).matte;
  }
  if (g.level.w < 0.5) {
    let full = dot(key + g.sky_above.xyz, vec3<f32>(1.0));
    let left = dot(key * shadow + g.sky_above.xyz * open, vec3<f32>(1.0));
    let alpha = select(0.0, (1.0 - left / full) * there, full > 0.0);
    return vec4<f32>(g.ground.xyz * bulbs * there, alpha);
  }
  let bright = 1.0 - g.ground.w * lines(at, direction, pixel_at(distance_to(at)));
  let lit = g.ground.xyz * (key * shadow + g.sky_above.xyz * open + bulbs) * bright;
  return vec4<f32>(mix(nothing.xyz, lit, there), 1.0);
}

struct Behind {
  @builtin(position) clip: vec4<f32>,
  @location(0) at: vec2<f32>,
};

@vertex fn far_away(@builtin(vertex_index) i: u32) -> Behind {
  let at = vec2<f32>(f32((i << 1u) & 2u) * 2.0 - 1.0, f32(i & 2u) * 2.0 - 1.0);
  return Behind(vec4<f32>(at, 0.0, 1.0), at);
}

@fragment fn behind(v: Behind) -> @location(0) vec4<f32> {
  var direction = g.forward.xyz;
  if (g.eye.w > 0.5) {
    let side = g.right.xyz * (v.at.x * g.right.w) + g.up.xyz * (v.at.y * g.up.w);
    direction = normalize(direction + side * g.forward.w);
  }
  return backdrop(direction);
}
