// Uniforms of all passes: camera, stage, lamps, surfaces; filled in by `uniforms.rs`. Positions are
// in metres from the centre of the scene.

struct Globals {
  view: mat4x4<f32>,
  eye: vec4<f32>,            // w: 1 for a perspective
  forward: vec4<f32>,        // w: size of a pixel, in metres or in metres per metre
  right: vec4<f32>,          // w: half of the picture's width, in pixels
  up: vec4<f32>,             // w: half of the picture's height, in pixels
  key: vec4<f32>,            // towards the light; w: tangent of its angular radius
  key_colour: vec4<f32>,     // w: taps per soft shadow
  sky_above: vec4<f32>,      // w: brightness of the studio's lamps
  sky_below: vec4<f32>,      // w: range of ambient occlusion, in metres
  level: vec4<f32>,          // w: 1 if there is a background
  above: vec4<f32>,          // w: exposure
  ground: vec4<f32>,         // colour; w: strength of the lines
  ground_place: vec4<f32>,   // centre at its height; w: radius
  grid: vec4<f32>,           // spacing; position of the origin in the grid; w: share of this pass
  shaded: vec4<f32>,         // part of the ground that shadows reach: low, high
  open: vec4<f32>,           // part of the ground with baked ambient occlusion: low, size
  low: vec4<f32>,            // bounding box of all strands; w: index of the pass
  high: vec4<f32>,
  key_map: array<vec4<f32>, 3>,
  key_size: vec4<f32>,       // texels, depth in metres, metres per texel, sideways reach of shadows
  sky_size: vec4<f32>,       // maps, tiles per row, texels per tile, metres per texel
  sky_map: array<vec4<f32>, 96>,
  sky_direction: array<vec4<f32>, 32>, // w: depth in metres
  lamp_count: vec4<f32>,     // y: 1 if the ground is water
  ripples: array<vec4<f32>, 8>,  // direction times turns per metre, phase, slope
  lamp_groups: array<vec4<f32>, 32>,  // centre, reach
  lamps: array<vec4<f32>, 512>,  // centre, radius; power
  looks: array<vec4<f32>, 128>,  // strands, yarns, glow; reflect, roughness, metal, mapped
};

@group(0) @binding(0) var<uniform> g: Globals;

const TAU: f32 = 6.283185307179586;
const PI: f32 = 3.141592653589793;

fn smooth_step(a: f32, b: f32, x: f32) -> f32 {
  let t = clamp((x - a) / (b - a), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

fn pixel_at(distance: f32) -> f32 {
  return g.forward.w * mix(1.0, distance, g.eye.w);
}

// Unit vector from the eye to a point.
fn direction_to(p: vec3<f32>) -> vec3<f32> {
  if (g.eye.w > 0.5) {
    return normalize(p - g.eye.xyz);
  }
  return g.forward.xyz;
}

// Distance of a point along its view ray.
fn distance_to(p: vec3<f32>) -> f32 {
  if (g.eye.w > 0.5) {
    return length(p - g.eye.xyz);
  }
  return dot(p - g.eye.xyz, g.forward.xyz);
}

// A number in 0–1 that differs between pixels and passes.
fn dither(at: vec2<f32>) -> f32 {
  let here = fract(52.9829189 * fract(dot(floor(at), vec2<f32>(0.06711056, 0.00583715))));
  return fract(here + g.low.w * 0.61803399);
}

// Depth in 24 bits and cover in 8, in a texture format that every card can render to.
fn pack(depth: f32, cover: f32) -> vec4<f32> {
  let d = u32(clamp(depth, 0.0, 1.0) * 16777215.0);
  return vec4<f32>(f32(d >> 16u), f32((d >> 8u) & 255u), f32(d & 255u), round(cover * 255.0)) / 255.0;
}

fn depth_of(texel: vec4<f32>) -> f32 {
  return dot(round(texel.xyz * 255.0), vec3<f32>(65536.0, 256.0, 1.0)) / 16777215.0;
}
