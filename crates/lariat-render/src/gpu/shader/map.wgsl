// Depth maps of the lights: strands as ribbons at the depth of their axis, meshes with their
// surface.
//
// For the sky, the far side of a mesh counts: an object under a ball is near its underside and far
// from its top. A sheet has no far side, so its near side is drawn as well, behind everything else.
// For the key, the first surface counts.

struct Tile {
  rows: array<vec4<f32>, 3>,
  towards: vec4<f32>,    // w: metres per texel
  more: vec4<f32>,       // sideways reach of soft shadows
};

@group(1) @binding(0) var<uniform> tile: Tile;

struct Mapped {
  @builtin(position) clip: vec4<f32>,
  @location(0) depth: f32,
  @location(1) cover: f32,
  @location(2) rim: vec4<f32>,    // across and beyond the start, across and beyond the end
};

fn mapped(p: vec3<f32>, cover: f32) -> Mapped {
  let q = vec4<f32>(p, 1.0);
  let x = dot(tile.rows[0], q);
  let y = dot(tile.rows[1], q);
  let z = dot(tile.rows[2], q);
  let clip = vec4<f32>(2.0 * x - 1.0, 1.0 - 2.0 * y, 0.5 * clamp(z, 0.0, 1.0), 1.0);
  return Mapped(clip, z, cover, vec4<f32>(0.0));
}

struct Ends {
  @location(0) a0: vec4<f32>, @location(1) a1: vec4<f32>, @location(4) a4: vec4<f32>,
  @location(5) b0: vec4<f32>, @location(6) b1: vec4<f32>, @location(9) b4: vec4<f32>,
};

@vertex fn ribbon(link: Ends, @builtin(vertex_index) corner: u32) -> Mapped {
  // A ghost casts no shadow.
  if (link.a4.w > 0.5 || link.a4.z < 1.0) {
    return Mapped(vec4<f32>(0.0, 0.0, -1.0, 0.0), 0.0, 0.0, vec4<f32>(0.0));
  }
  let first = corner == 0u || corner == 1u || corner == 3u;
  let centre = select(link.b0, link.a0, first);
  let along = select(link.b1, link.a1, first).xyz;
  let towards = tile.towards.xyz;
  let wide = max(centre.w, 0.6 * tile.towards.w);
  let side = cross(along, towards);
  let long = max(length(side), 1e-6);
  let sign = select(-1.0, 1.0, corner == 0u || corner == 2u || corner == 5u);
  // Seen from the light, a flat end is half an ellipse, which extends further the more it faces the
  // light.
  let ahead = (along - towards * dot(along, towards)) / long;
  let begins = link.a4.y <= 0.0;
  let ends = link.b4.y >= 1.0;
  let reach = max(abs(dot(along, towards)) * wide, 1e-3 * wide);
  let beyond = select(0.0, -1.0, first && begins) + select(0.0, 1.0, !first && ends);
  let p = centre.xyz + side * (sign * wide / long) + ahead * (beyond * reach);
  var out = mapped(p, centre.w / wide);
  // Distance of a corner beyond each end, relative to its reach; negative before the end.
  let length_seen = dot(link.b0.xyz - link.a0.xyz, ahead) / reach;
  let at_start = select(-1e3, select(-length_seen, 1.0, first), begins);
  let at_end = select(-1e3, select(1.0, -length_seen, first), ends);
  out.rim = vec4<f32>(sign, at_start, sign, at_end);
  return out;
}

// Regions close enough to a strand to be shadowed by it: a wider and longer ribbon.
@vertex fn vicinity(link: Ends, @builtin(vertex_index) corner: u32) -> @builtin(position) vec4<f32> {
  if (link.a4.w > 0.5) {
    return vec4<f32>(0.0, 0.0, -1.0, 0.0);
  }
  let towards = tile.towards.xyz;
  let first = corner == 0u || corner == 1u || corner == 3u;
  let centre = select(link.b0, link.a0, first);
  let chord = link.b0.xyz - link.a0.xyz;
  let flat = chord - towards * dot(chord, towards);
  let long = length(flat);
  var ahead = flat / max(long, 1e-9);
  if (long < 1e-9) {
    let other = select(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 0.0, 1.0), abs(towards.x) > 0.7);
    ahead = normalize(cross(towards, other));
  }
  let wide = max(link.a0.w, link.b0.w) + tile.more.x;
  let sign = select(-1.0, 1.0, corner == 0u || corner == 2u || corner == 5u);
  let p = centre.xyz + (cross(ahead, towards) * sign + ahead * select(1.0, -1.0, first)) * wide;
  return mapped(p, 1.0).clip;
}

@fragment fn there() -> @location(0) vec4<f32> {
  return vec4<f32>(1.0);
}

@vertex fn facet(@location(0) at: vec4<f32>) -> Mapped {
  return mapped(at.xyz, 1.0);
}

@vertex fn near_side(@location(0) at: vec4<f32>) -> Mapped {
  var out = mapped(at.xyz, 1.0);
  out.clip.z += 0.5;
  return out;
}

@fragment fn depth(v: Mapped) -> @location(0) vec4<f32> {
  let start = v.rim.y > 0.0 && dot(v.rim.xy, v.rim.xy) > 1.0;
  let end = v.rim.w > 0.0 && dot(v.rim.zw, v.rim.zw) > 1.0;
  if (start || end) {
    discard;
  }
  return pack(v.depth, v.cover);
}
