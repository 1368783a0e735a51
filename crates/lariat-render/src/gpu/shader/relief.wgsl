// Patterns of `surface.rs`, formula by formula: slope, tint and openness of a surface. Keep both in
// step; tests compare the pictures of both renderers.

struct Place {
  along: f32,   // in radii
  u: f32,
  angle: f32,
  across: vec2<f32>,
  radius: f32,
  pixel: f32,
  round: bool,
};

struct Touch {
  slope: vec2<f32>,
  tint: f32,
  open: f32,
  paint: vec4<f32>,
  glow: f32,
};

fn untouched() -> Touch {
  return Touch(vec2<f32>(0.0), 1.0, 1.0, vec4<f32>(0.0), 1.0);
}

fn keep(wavelength: f32, pixel: f32) -> f32 {
  return smooth_step(1.2, 3.5, wavelength / max(pixel, 1e-12));
}

fn hash(x: i32, y: i32) -> f32 {
  var h = (bitcast<u32>(x) * 0x9e3779b1u) ^ (bitcast<u32>(y) * 0x85ebca77u);
  h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12u)) * 0x297a2d39u;
  return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

fn wrap(x: f32, period: f32) -> i32 {
  return i32(x - period * floor(x / period));
}

fn noise(x: f32, period: f32, y: f32) -> f32 {
  let f = vec2<f32>(fract(x), fract(y));
  let s = f * f * (3.0 - 2.0 * f);
  let x0 = wrap(floor(x), period);
  let x1 = wrap(floor(x) + 1.0, period);
  let y0 = i32(floor(y));
  let low = mix(hash(x0, y0), hash(x1, y0), s.x);
  let high = mix(hash(x0, y0 + 1), hash(x1, y0 + 1), s.x);
  return mix(low, high, s.y);
}

const PITCH: f32 = 7.0;

fn laid(place: Place, n: f32, yarns: bool) -> Touch {
  let pitch = PITCH * sqrt(max(n / 3.0, 1.0));
  let v = n * (place.angle - place.along / pitch);
  let x = 2.0 * fract(v) - 1.0;
  let phi = x * 0.93 / (2.0 * n) * TAU;
  let si = sin(phi);
  let co = cos(phi);
  let half = sin(0.5 / n * TAU);
  let rho = half / (1.0 + half);
  let c = 1.0 - rho;
  let root = sqrt(max(rho * rho - c * c * si * si, 1e-4));
  let r = c * co + root;
  let slope = clamp(-c * si - c * c * si * co / root, -1.5, 1.5);
  let shown = keep(TAU * place.radius / n * 0.75, place.pixel);
  let bottom = c * cos(0.5 / n * TAU);
  let depth = clamp((r - bottom) / (1.0 - bottom), 0.0, 1.0);
  let open = 0.28 + 0.72 * sqrt(depth);
  var touch = untouched();
  touch.slope = vec2<f32>(-slope * TAU / pitch, slope / r) * shown;
  touch.open = mix(0.83, open, shown);
  if (yarns) {
    let count = n * 6.0;
    let y = count * (place.angle + 0.22 * place.along / pitch);
    let across = 2.0 * fract(y) - 1.0;
    let fine = keep(TAU * place.radius / count, place.pixel);
    let own = hash(wrap(floor(y), count), wrap(floor(v), n) + 7) - 0.5;
    let fibre = noise(place.angle * count * 3.0, count * 3.0, place.along * 1.3) - 0.5;
    touch.slope.y -= 0.55 * across * fine;
    touch.tint *= 1.0 + (0.34 * own + 0.3 * fibre) * fine;
    touch.open *= 1.0 - 0.25 * across * across * fine;
  }
  return touch;
}

fn is_even(x: f32) -> bool {
  return (i32(x) & 1) == 0;
}

fn braid(place: Place) -> Touch {
  let ways = 8.0;
  let pitch = 7.5;
  let a = ways * (place.angle + place.along / pitch);
  let b = ways * (place.angle - place.along / pitch);
  let on_top = is_even(floor(a) + floor(b));
  let across = select(b, a, on_top);
  let along = select(a, b, on_top);
  let inclination = select(-1.0, 1.0, on_top);
  let x = 2.0 * fract(across) - 1.0;
  let y = 2.0 * fract(along) - 1.0;
  let cell = TAU / ways;
  let shown = keep(0.7 * cell * place.radius, place.pixel);
  let d = vec2<f32>(-0.55 * x, -0.42 * y);
  let lean = ways / pitch * cell;
  let slope = vec2<f32>(inclination * lean * (d.x - d.y), d.x + d.y);
  let threads = 2.0 * fract(across * 3.0) - 1.0;
  let fine = keep(0.2 * cell * place.radius, place.pixel);
  let own = hash(wrap(floor(across), ways), select(0, 1, on_top)) - 0.5;
  let groove = max(x * x, y * y);
  var touch = untouched();
  touch.slope = slope * shown + vec2<f32>(inclination * lean, 1.0) * (-0.25 * threads * fine);
  touch.tint = 1.0 + 0.1 * own * shown;
  touch.open = mix(0.9, 1.0 - 0.5 * groove * groove, shown);
  return touch;
}

fn around(place: Place) -> f32 {
  return select(place.across.y, place.angle * TAU, place.round);
}

fn weave(place: Place) -> Touch {
  let cell = 0.16;
  let a = around(place) / cell;
  let b = place.along / cell;
  let over = is_even(floor(a) + floor(b));
  let x = 2.0 * fract(a) - 1.0;
  let y = 2.0 * fract(b) - 1.0;
  let shown = keep(cell * place.radius, place.pixel);
  let slope = select(vec2<f32>(-0.5 * y, -0.2 * x), vec2<f32>(-0.2 * y, -0.5 * x), over);
  let worn = noise(place.angle * 4.0, 4.0, place.along / 3.0) - 0.5;
  var touch = untouched();
  touch.slope = slope * shown;
  touch.tint = 1.0 + 0.2 * worn;
  touch.open = 1.0 - 0.25 * max(x * x, y * y) * shown;
  return touch;
}

fn leather(place: Place) -> Touch {
  let scale = 0.09;
  let period = select(1e6, round(TAU / scale), place.round);
  let a = select(around(place) / scale, place.angle * period, place.round);
  let b = place.along / scale;
  var shown = keep(scale * place.radius * 1.5, place.pixel);
  let here = noise(a, period, b);
  var touch = untouched();
  touch.slope = vec2<f32>(noise(a, period, b + 0.3) - here, noise(a + 0.3, period, b) - here) * (-0.55 * shown);
  touch.tint = 1.0 + (here - 0.5) * 0.25 * shown;
  if (!place.round) {
    let y = abs(place.across.y);
    touch.tint *= 1.0 - 0.55 * smooth_step(0.88, 0.99, y);
    let on_face = y < 0.97;
    let from_row = (y - 0.8) / 0.035;
    let along = (2.0 * fract(place.along / 0.28) - 1.0) / 0.72;
    shown = keep(0.1 * place.radius, place.pixel);
    let far = from_row * from_row + along * along * along * along;
    if (on_face && far < 1.0) {
      touch.paint = vec4<f32>(0.62, 0.5, 0.33, min(sqrt(1.0 - far), 1.0) * shown);
      touch.slope += vec2<f32>(-0.5 * along, 0.9 * from_row) * shown;
    } else if (on_face && abs(from_row) < 1.6) {
      touch.tint *= 1.0 - 0.3 * shown;
    }
  }
  return touch;
}

fn wood(place: Place) -> Touch {
  let long = place.along / 9.0;
  let broad = noise(place.angle * 7.0, 7.0, long) - 0.5;
  let fine = noise(place.angle * 31.0, 31.0, long * 1.7) - 0.5;
  let shown = keep(TAU * place.radius / 31.0, place.pixel);
  var touch = untouched();
  touch.tint = 1.0 + 0.5 * broad + 0.7 * fine * shown;
  return touch;
}

fn timber(at: vec3<f32>, pixel: f32) -> Touch {
  let ring = 0.017;
  let thread = 0.004;
  let wide = 4096.0;
  let bow = noise(at.y * 6.0 + at.z * 4.0, wide, at.x * 1.7) - 0.5;
  let rings = (length(at.yz) + 0.022 * bow) / ring;
  let f = fract(rings);
  let autumn = select(5.0 * (1.0 - f), f * f / 0.64, f < 0.8);
  let own = hash(i32(floor(rings)), 11) - 0.5;
  let fibre = noise(at.y / thread, wide, at.x * 5.0) + noise(at.z / thread, wide, at.x * 5.0 + 31.0) - 1.0;
  let broad = noise(at.y * 9.0 - at.z * 7.0, wide, at.x * 2.3 + 5.0) - 0.5;
  var touch = untouched();
  touch.tint = 1.06 - (0.42 * (autumn - 0.38) + 0.1 * own) * keep(ring, pixel)
    + 0.3 * fibre * keep(thread, pixel) + 0.3 * broad;
  return touch;
}

const SOCKET: f32 = 0.29;
const COLLAR: f32 = 0.1;

fn bulb(place: Place) -> Touch {
  var touch = untouched();
  if (place.u <= SOCKET) {
    touch.paint = vec4<f32>(0.03, 0.042, 0.032, 1.0);
    touch.glow = 0.12 * smooth_step(SOCKET - COLLAR, SOCKET, place.u);
  }
  return touch;
}

// Pattern, a specialisation constant, so that the pass contains no other. 7 is a ghost.
override KIND: i32 = 0;

// 1 for simple shading: light of bulbs per vertex and without highlights, patterns at one point of
// a pixel.
override SIMPLE: i32 = 0;

fn relief(strands: f32, yarns: f32, place: Place) -> Touch {
  switch (KIND) {
    case 1: { return laid(place, strands, yarns > 0.5); }
    case 2: { return braid(place); }
    case 3: { return weave(place); }
    case 4: { return leather(place); }
    case 5: { return wood(place); }
    case 6: { return bulb(place); }
    default: { return untouched(); }
  }
}
