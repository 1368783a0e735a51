// Sum of several passes, halos, and tone mapping.

@group(1) @binding(0) var light: texture_2d<f32>;
@group(1) @binding(1) var sum_before: texture_2d<f32>;
@group(1) @binding(2) var rest_before: texture_2d<f32>;

// Whether colours are encoded here and not by the target, and whether they are multiplied by alpha.
override ENCODE: i32 = 1;
override PREMULTIPLY: i32 = 0;

@vertex fn sheet(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
  return vec4<f32>(f32((i << 1u) & 2u) * 2.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);
}

@fragment fn gather(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
  return textureLoad(light, vec2<i32>(at.xy), 0) * g.grid.w;
}

// A sum in 16 bits, and the rest that does not fit into them: twice the digits, in a format that
// every card can render to.
struct Sum {
  @location(0) sum: vec4<f32>,
  @location(1) rest: vec4<f32>,
};

fn divided(all: vec4<f32>) -> Sum {
  let sum = vec4<f32>(unpack2x16float(pack2x16float(all.xy)), unpack2x16float(pack2x16float(all.zw)));
  return Sum(sum, all - sum);
}

@fragment fn gather_first(@builtin(position) at: vec4<f32>) -> Sum {
  return divided(textureLoad(light, vec2<i32>(at.xy), 0) * g.grid.w);
}

@fragment fn gather_next(@builtin(position) at: vec4<f32>) -> Sum {
  let here = vec2<i32>(at.xy);
  let before = textureLoad(sum_before, here, 0) + textureLoad(rest_before, here, 0);
  return divided(before + textureLoad(light, here, 0) * g.grid.w);
}

fn filmic(x: f32) -> f32 {
  let y = clamp(x, 0.0, 1e4);
  return min((y * (2.51 * y + 0.03)) / (y * (2.43 * y + 0.59) + 0.14), 1.0);
}

fn encoded(x: f32) -> f32 {
  return select(1.055 * pow(max(x, 0.0), 1.0 / 2.4) - 0.055, 12.92 * x, x <= 0.0031308);
}

@fragment fn develop(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
  return developed(textureLoad(light, vec2<i32>(at.xy), 0));
}

struct Pane {
  @builtin(position) clip: vec4<f32>,
  @location(0) at: vec2<f32>,
};

@vertex fn pane(@builtin(vertex_index) i: u32) -> Pane {
  let at = vec2<f32>(f32((i << 1u) & 2u), f32(i & 2u));
  return Pane(vec4<f32>(at * 2.0 - 1.0, 0.0, 1.0), vec2<f32>(at.x, 1.0 - at.y));
}

// A picture with fewer pixels than the target.
@fragment fn enlarge(v: Pane) -> @location(0) vec4<f32> {
  let size = vec2<f32>(textureDimensions(light));
  let at = clamp(v.at * size - 0.5, vec2<f32>(0.0), size - 1.0);
  let low = vec2<i32>(at);
  let high = min(low + 1, vec2<i32>(size) - 1);
  let part = fract(at);
  let above = mix(textureLoad(light, low, 0), textureLoad(light, vec2<i32>(high.x, low.y), 0), part.x);
  let below = mix(textureLoad(light, vec2<i32>(low.x, high.y), 0), textureLoad(light, high, 0), part.x);
  return developed(mix(above, below, part.y));
}

fn developed(found: vec4<f32>) -> vec4<f32> {
  let alpha = clamp(found.w, 0.0, 1.0);
  if (alpha <= 0.0) {
    return vec4<f32>(0.0);
  }
  let c = clamp(found.xyz * (g.above.w / alpha), vec3<f32>(0.0), vec3<f32>(1e4));
  let each = vec3<f32>(filmic(c.x), filmic(c.y), filmic(c.z));
  let bright = dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));
  let held = filmic(bright);
  var whole = vec3<f32>(0.0);
  if (bright > 0.0) {
    whole = min(c * (held / bright), vec3<f32>(1.0));
  }
  let kept = mix(each, whole, 0.6 * (1.0 - held * held));
  var shown = kept;
  if (ENCODE == 1) {
    shown = vec3<f32>(encoded(kept.x), encoded(kept.y), encoded(kept.z));
  }
  // Rounding of blended light must not darken opaque pixels.
  return vec4<f32>(shown * select(1.0, alpha, PREMULTIPLY == 1 && alpha < 0.998), alpha);
}

struct Halo {
  @builtin(position) clip: vec4<f32>,
  @location(0) off: vec2<f32>,
  @location(1) colour: vec3<f32>,
};

// `place`: position and radius in pixels.
@vertex fn ring(@location(0) place: vec4<f32>, @location(1) colour: vec4<f32>, @builtin(vertex_index) i: u32) -> Halo {
  var corners = array<vec2<f32>, 6>(
    vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, -1.0), vec2<f32>(1.0, 1.0),
    vec2<f32>(-1.0, -1.0), vec2<f32>(1.0, 1.0), vec2<f32>(-1.0, 1.0));
  let at = (place.xy + corners[i] * place.z) / vec2<f32>(g.right.w, g.up.w) - 1.0;
  return Halo(vec4<f32>(at.x, -at.y, 0.0, 1.0), corners[i], colour.xyz);
}

@fragment fn halo(v: Halo) -> @location(0) vec4<f32> {
  let q = dot(v.off, v.off);
  let rest = max(1.0 - q, 0.0);
  let add = v.colour * (rest * rest * rest / (1.0 + 24.0 * q));
  return vec4<f32>(add, filmic(max(add.x, max(add.y, add.z))));
}
