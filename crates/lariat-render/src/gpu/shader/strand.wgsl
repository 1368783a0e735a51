// Strands: tubes swept from knot to knot, their flat ends, and outlined strands as triangles.
// `rows.rs` fills the buffers.

// One knot: position, radius; tangent, arc length in radii; normal, twist in turns; colour,
// surface; growth, 0–1 along, opacity, whether there is no link to the next.
struct Link {
  @location(0) a0: vec4<f32>, @location(1) a1: vec4<f32>, @location(2) a2: vec4<f32>,
  @location(3) a3: vec4<f32>, @location(4) a4: vec4<f32>,
  @location(5) b0: vec4<f32>, @location(6) b1: vec4<f32>, @location(7) b2: vec4<f32>,
  @location(8) b3: vec4<f32>, @location(9) b4: vec4<f32>,
};

struct Shaded {
  @builtin(position) clip: vec4<f32>,
  @location(0) at: vec3<f32>,
  @location(1) normal: vec3<f32>,
  @location(2) tangent: vec3<f32>,
  @location(3) place: vec4<f32>,                      // arc length in radii, 0–1, angle around, radius
  @location(4) more: vec4<f32>,                       // across; cover; visible share of the sky
  @location(5) colour: vec3<f32>,
  @location(6) @interpolate(flat) kind: vec4<f32>,    // look; 1 round, 0 outlined; 1 cap; opacity
  @location(7) bulbs: vec3<f32>,                      // light of bulbs, with simple shading
};

const THIN: f32 = 0.6;

// The ghosts of a rope that hardly moves lie inside it; they are drawn only where they are their
// radius in front of it.
fn held_back(clip: vec4<f32>, at: vec3<f32>, radius: f32) -> f32 {
  if (KIND != 7) {
    return clip.z;
  }
  let behind = g.view * vec4<f32>(at + direction_to(at) * radius, 1.0);
  return behind.z / behind.w * clip.w;
}

fn bulbs_at(at: vec3<f32>, normal: vec3<f32>, look: f32) -> vec3<f32> {
  if (SIMPLE == 0 || KIND == 7) {
    return vec3<f32>(0.0);
  }
  let glass = g.looks[2 * i32(look)].z > 0.0;
  return lamp_light(Lit(at, normal, normal, 1.0, glass)).matte;
}

fn nowhere() -> Shaded {
  var out: Shaded;
  out.clip = vec4<f32>(0.0, 0.0, -1.0, 0.0);
  return out;
}

// `facing` is zero for the side of a tube, which faces outwards.
fn knot_corner(k0: vec4<f32>, k1: vec4<f32>, k2: vec4<f32>, k3: vec4<f32>, k4: vec4<f32>, ring: vec4<f32>, facing: vec3<f32>) -> Shaded {
  var out: Shaded;
  let centre = k0.xyz;
  let shown = max(k0.w, THIN * pixel_at(distance_to(centre)));
  let side = ring.x * k2.xyz + ring.y * cross(k1.xyz, k2.xyz);
  out.at = centre + side * (shown * ring.w);
  out.clip = g.view * vec4<f32>(out.at, 1.0);
  out.clip.z = held_back(out.clip, out.at, shown);
  out.normal = normalize(side - k1.xyz * k4.x);
  out.tangent = k1.xyz;
  out.place = vec4<f32>(k1.w, k4.y, ring.z - k2.w, shown);
  let cover = sqrt(min(k0.w / shown, 1.0));
  var open = 1.0;
  if (cover > 0.5) {
    let sky = select(out.normal, facing, dot(facing, facing) > 0.5);
    open = sky_seen(out.at, sky, max(0.5 * k0.w, 1.5 * g.sky_size.w));
  }
  out.more = vec4<f32>(ring.xy, cover, open);
  out.colour = k3.xyz;
  out.kind = vec4<f32>(k3.w, 1.0, 0.0, k4.z);
  out.bulbs = bulbs_at(out.at, out.normal, k3.w);
  return out;
}

// `ring`: cosine, sine, turns around, factor on the radius; `end`: 0 at the first knot, 1 at the
// second.
@vertex fn tube(link: Link, @location(10) ring: vec4<f32>, @location(11) end: f32) -> Shaded {
  if (link.a4.w > 0.5) {
    return nowhere();
  }
  if (end > 0.5) {
    return knot_corner(link.b0, link.b1, link.b2, link.b3, link.b4, ring, vec3<f32>(0.0));
  }
  return knot_corner(link.a0, link.a1, link.a2, link.a3, link.a4, ring, vec3<f32>(0.0));
}

// A flat end: the sign of `a4.w` is its direction. `end` is 0 at the centre, 1 at the rim.
@vertex fn cap(link: Link, @location(10) ring: vec4<f32>, @location(11) end: f32) -> Shaded {
  let outwards = vec4<f32>(ring.x, ring.y * link.a4.w, ring.z * link.a4.w, ring.w * end);
  var out = knot_corner(link.a0, link.a1, link.a2, link.a3, link.a4, outwards, link.a1.xyz * link.a4.w);
  out.normal = link.a1.xyz * link.a4.w;
  out.kind.z = 1.0;
  return out;
}

// A corner of an outlined strand.
struct Corner {
  @location(0) at: vec4<f32>,       // radius
  @location(1) normal: vec4<f32>,   // arc length in radii
  @location(2) tangent: vec4<f32>,  // 0–1
  @location(3) across: vec4<f32>,   // across, angle, whether it belongs to a cap
  @location(4) colour: vec4<f32>,   // look
  @location(5) more: vec4<f32>,     // opacity
};

@vertex fn facet(corner: Corner) -> Shaded {
  var out: Shaded;
  out.at = corner.at.xyz;
  out.clip = g.view * vec4<f32>(out.at, 1.0);
  out.clip.z = held_back(out.clip, out.at, corner.at.w);
  out.normal = corner.normal.xyz;
  out.tangent = corner.tangent.xyz;
  out.place = vec4<f32>(corner.normal.w, corner.tangent.w, corner.across.z, corner.at.w);
  // Either side may be visible: the one that faces the viewer.
  let facing = select(1.0, -1.0, dot(out.normal, direction_to(out.at)) > 0.0);
  let open = sky_seen(out.at, out.normal * facing, 2.5 * g.sky_size.w);
  out.more = vec4<f32>(corner.across.xy, 1.0, open);
  out.colour = corner.colour.xyz;
  out.kind = vec4<f32>(corner.colour.w, 0.0, corner.across.w, corner.more.x);
  out.bulbs = bulbs_at(out.at, out.normal * facing, corner.colour.w);
  return out;
}

// A point of a mesh, from `skins.rs`.
struct Point {
  @location(0) at: vec4<f32>,
  @location(1) normal: vec4<f32>,   // look
  @location(2) colour: vec4<f32>,
  @location(3) grain: vec4<f32>,    // whether it was cut from wood
};

@vertex fn skin(point: Point) -> Shaded {
  var out: Shaded;
  out.at = point.at.xyz;
  out.clip = g.view * vec4<f32>(out.at, 1.0);
  out.normal = point.normal.xyz;
  out.tangent = vec3<f32>(0.0, 0.0, 1.0);
  out.place = vec4<f32>(point.grain.xyz, 1.0);
  out.more = vec4<f32>(point.grain.w, 0.0, 1.0, 1.0);
  out.colour = point.colour.xyz;
  out.kind = vec4<f32>(point.normal.w, 0.0, 0.0, 1.0);
  out.bulbs = bulbs_at(out.at, out.normal, point.normal.w);
  return out;
}

// A mesh is in the maps with its surface, in steps of a texel. Lookups start this many texels above
// it and ignore this many texels of depth, which skips the steps of surfaces level with or inclined
// to the light. Soft shadows read up to two texels aside; the sky reads one, so less is enough, and
// more would be inside touching objects.
const ABOVE_KEY: f32 = 2.5;
const ABOVE_SKY: f32 = 0.8;
const DEEP: f32 = 1.0;

// The pattern averaged at four points of a pixel.
fn relief_around(kind: vec2<f32>, place: Place, right: vec4<f32>, down: vec4<f32>) -> Touch {
  if (SIMPLE == 1 || KIND < 1 || KIND > 5) {
    return relief(kind.x, kind.y, place);
  }
  var sum = Touch(vec2<f32>(0.0), 0.0, 0.0, vec4<f32>(0.0), 0.0);
  for (var k = 0; k < 4; k++) {
    let x = array<f32, 4>(-0.125, 0.375, 0.125, -0.375)[k];
    let y = array<f32, 4>(-0.375, -0.125, 0.375, 0.125)[k];
    let moved = right * x + down * y;
    var near = place;
    near.along += moved.x;
    near.angle += moved.y;
    near.across += moved.zw;
    let touch = relief(kind.x, kind.y, near);
    sum.slope += touch.slope * 0.25;
    sum.tint += touch.tint * 0.25;
    sum.open += touch.open * 0.25;
    sum.paint += vec4<f32>(touch.paint.xyz * touch.paint.w, touch.paint.w) * 0.25;
    sum.glow += touch.glow * 0.25;
  }
  sum.paint = vec4<f32>(sum.paint.xyz / max(sum.paint.w, 1e-6), sum.paint.w);
  return sum;
}

@fragment fn strand(v: Shaded, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
  // Change of the position on the strand from pixel to pixel.
  let right = dpdx(vec4<f32>(v.place.xz, v.more.xy));
  let down = dpdy(vec4<f32>(v.place.xz, v.more.xy));
  let direction = direction_to(v.at);
  let view = -direction;
  let round_one = v.kind.y > 0.5;
  var normal = normalize(v.normal);
  if (KIND == 8) {
    // Near an outline the normal may face away, but not the triangle.
    normal = select(-normal, normal, front);
  } else if (!round_one && dot(normal, direction) > 0.0) {
    normal = -normal;
  }
  let tangent = normalize(v.tangent);
  let opacity = v.more.z * v.kind.w;
  let index = i32(v.kind.x);
  if (KIND == 7) {
    // A ghost of another frame: one colour, shaded to look round.
    let soft = 0.45 + 0.55 * clamp(dot(normal, view), 0.0, 1.0);
    return vec4<f32>(v.colour * soft, 1.0) * opacity;
  }
  let first = g.looks[2 * index];
  let second = g.looks[2 * index + 1];
  let pixel = pixel_at(distance_to(v.at));
  let glance = max(abs(dot(normal, direction)), 0.15);
  let place = Place(v.place.x, v.place.y, v.place.z, v.more.xy, v.place.w, pixel / sqrt(glance), round_one);
  var touch = relief_around(first.xy, place, right, down);
  if (KIND == 8 && v.more.x > 0.5) {
    touch = timber(v.place.xyz, pixel / sqrt(glance));
  }
  if (second.w > 0.5) {
    touch.tint = 1.0;
    touch.paint.w = 0.0;
  }
  if (v.kind.z > 0.5) {
    touch.slope = vec2<f32>(0.0);
    touch.tint *= 0.8;
  }
  let turning = cross(tangent, normal);
  let facing_side = select(-1.0, 1.0, round_one || v.more.x >= 0.0);
  var n = normalize(normal - tangent * touch.slope.x - turning * (touch.slope.y * facing_side));
  var roughness = second.y;
  if (round_one) {
    roughness = max(roughness, min(0.35 * pixel / v.place.w, 0.75));
  }
  let metal = second.z > 0.5;
  let away = dot(n, view);
  if (away < 0.04) {
    n = normalize(n + view * (0.04 - away));
  }
  let facing = clamp(dot(n, view), 0.04, 1.0);
  let colour = mix(v.colour * touch.tint, touch.paint.xyz, touch.paint.w);
  let slant = dot(n, g.key.xyz);
  var shadow = 0.0;
  if (slant > 0.0 && dot(normal, g.key.xyz) > -0.05) {
    // A flat end lies on the ribbon of its strand.
    let own = select(select(0.15, 0.3, round_one), 1.2, v.kind.z > 0.5);
    var bias = max(own * v.place.w, 0.8 * g.key_size.z);
    var start = v.at;
    if (KIND == 8) {
      bias = DEEP * g.key_size.z;
      start += normal * (ABOVE_KEY * g.key_size.z);
    }
    shadow = key_seen(start, bias, dither(v.clip.xy));
  }
  let light = g.key_colour.xyz * (shadow * (0.35 + 0.65 * touch.open));
  var sky = v.more.w;
  if (KIND == 8) {
    sky = sky_seen(v.at + normal * (ABOVE_SKY * g.sky_size.w), normal, 0.5 * DEEP * g.sky_size.w);
  }
  let open = sky * touch.open;

  let f = 1.0 - facing;
  let fresnel = f * f * f * f * f;
  var mirror = select(vec3<f32>(second.x), colour, metal);
  mirror += (1.0 - mirror) * (fresnel * (1.0 - 0.8 * roughness));
  var lamps = LampLight(v.bulbs, vec3<f32>(0.0));
  if (SIMPLE == 0) {
    lamps = lamp_light(Lit(v.at, n, view, roughness, first.z > 0.0));
  }
  var sum = mirror * (light * (gloss(n, view, g.key.xyz, roughness) * max(slant, 0.0)) + lamps.shine);
  if (!metal) {
    sum += colour * (light * max(slant, 0.0) + fill(n) * open + lamps.matte);
  }
  let back = n * (2.0 * dot(n, view)) - view;
  var seen = reflection(back, roughness);
  if (metal && dot(back, normal) < 0.0) {
    // Relief turns the reflection towards the strand itself: a second reflection, darker.
    seen = v.colour * reflection(reflect(back, normal), 0.5) * 0.55;
  }
  if (metal) {
    sum += mirror * (seen * (0.35 + 0.65 * open)) * mix(0.45, 1.0, sky);
    sum += mirror * lamps.matte * 0.5;
  } else if (roughness < 0.7) {
    sum += mirror * seen * (open * (1.0 - roughness / 0.7));
  }
  if (first.z * touch.glow > 0.0) {
    let hot = facing * facing;
    sum += (v.colour * (1.6 + 3.0 * hot) + 0.9 * hot * hot) * (first.z * touch.glow);
  }
  return vec4<f32>(sum, 1.0) * opacity;
}
