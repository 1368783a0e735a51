// Strands as a light sees them: ribbons at the depth of their axis.

struct Tile {
  rows: array<vec4<f32>, 3>,
  towards: vec4<f32>,    // w: metres per texel
};

@group(1) @binding(0) var<uniform> tile: Tile;

struct Mapped {
  @builtin(position) clip: vec4<f32>,
  @location(0) depth: f32,
  @location(1) cover: f32,
};

fn mapped(p: vec3<f32>, cover: f32) -> Mapped {
  let q = vec4<f32>(p, 1.0);
  let x = dot(tile.rows[0], q);
  let y = dot(tile.rows[1], q);
  let z = dot(tile.rows[2], q);
  return Mapped(vec4<f32>(2.0 * x - 1.0, 1.0 - 2.0 * y, clamp(z, 0.0, 1.0), 1.0), z, cover);
}

struct Ends {
  @location(0) a0: vec4<f32>, @location(1) a1: vec4<f32>, @location(4) a4: vec4<f32>,
  @location(5) b0: vec4<f32>, @location(6) b1: vec4<f32>, @location(9) b4: vec4<f32>,
};

@vertex fn ribbon(link: Ends, @builtin(vertex_index) corner: u32) -> Mapped {
  // A ghost casts no shadow.
  if (link.a4.w > 0.5 || link.a4.z < 1.0) {
    return Mapped(vec4<f32>(0.0, 0.0, -1.0, 0.0), 0.0, 0.0);
  }
  let first = corner == 0u || corner == 1u || corner == 3u;
  let centre = select(link.b0, link.a0, first);
  let along = select(link.b1, link.a1, first).xyz;
  let wide = max(centre.w, 0.6 * tile.towards.w);
  let side = cross(along, tile.towards.xyz);
  let long = max(length(side), 1e-6);
  let sign = select(-1.0, 1.0, corner == 0u || corner == 2u || corner == 5u);
  // Seen from the light a flat end reaches out, the more the less it is seen from the side.
  let u = select(link.b4.y, link.a4.y, first);
  let beyond = select(0.0, -1.0, u <= 0.0) + select(0.0, 1.0, u >= 1.0);
  let steep = dot(along, tile.towards.xyz);
  let ahead = (along - tile.towards.xyz * steep) / long;
  let p = centre.xyz + side * (sign * wide / long) + ahead * (beyond * abs(steep) * centre.w);
  return mapped(p, centre.w / wide);
}

@vertex fn facet(@location(0) at: vec4<f32>) -> Mapped {
  return mapped(at.xyz, 1.0);
}

@fragment fn depth(v: Mapped) -> @location(0) vec4<f32> {
  return pack(v.depth, v.cover);
}
