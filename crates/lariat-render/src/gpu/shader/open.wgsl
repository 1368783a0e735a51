// Visible share of the sky at every point of the ground, baked into a texture.

@vertex fn whole(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
  return vec4<f32>(f32((i << 1u) & 2u) * 2.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);
}

const TEXELS: f32 = 256.0;
const LIT_TEXELS: f32 = 128.0;

// With the light of bulbs, for simple shading.
@fragment fn bake_simple(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
  let p = vec3<f32>(g.open.xy + g.open.zw * at.xy / LIT_TEXELS, g.ground_place.z);
  let up = vec3<f32>(0.0, 0.0, 1.0);
  let bulbs = lamp_light(Lit(p, up, up, 1.0, false)).matte;
  return vec4<f32>(bulbs, sky_seen(p, up, 0.5 * g.sky_size.w));
}

@fragment fn bake(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
  let flat = g.open.xy + g.open.zw * at.xy / TEXELS;
  let p = vec3<f32>(flat, g.ground_place.z);
  return vec4<f32>(sky_seen(p, vec3<f32>(0.0, 0.0, 1.0), 0.5 * g.sky_size.w));
}
