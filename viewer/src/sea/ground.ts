/** The bottom, walls and obstacles. */
import * as THREE from "three";
import type { SceneHeightmap } from "../messages";

/** Contour lines, slope shading and caustics on a standard material. `shared.time` moves the light. */
export const shared = {
  time: { value: 0 },
  contour: { value: 1 },
  caustics: { value: 1 },
  sky: null as THREE.Texture | null,
};

/** Caustics: light focused by waves into a web of bright lines. */
export const causticLight = /* glsl */ `
        float web(vec2 p) {
          float s = 0.0;
          for (int i = 0; i < 3; i++) {
            float k = float(i) * 1.7;
            p += vec2(sin(p.y * 0.9 + time * 0.6 + k), cos(p.x * 0.8 - time * 0.5 + k)) * 0.7;
            s += abs(sin(p.x * 1.1 + k) * cos(p.y * 1.3 - k));
          }
          return pow(1.0 - s / 3.0, 3.0);
        }`;

/** `lines`: draws contours; `wall`: is cut off a little above the surface. */
export function groundMaterial(colour: THREE.Color, lines: boolean, wall = false): THREE.MeshStandardMaterial {
  const material = new THREE.MeshStandardMaterial({
    color: colour,
    roughness: 1,
    metalness: 0,
    side: wall ? THREE.FrontSide : THREE.DoubleSide, // a wall hides nothing from a camera on its other side
  });
  material.onBeforeCompile = (shader) => {
    shader.uniforms.time = shared.time;
    shader.uniforms.contour = shared.contour;
    shader.uniforms.caustics = shared.caustics;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 groundPlace; varying vec3 groundUp;")
      .replace(
        "#include <begin_vertex>",
        "#include <begin_vertex>\ngroundPlace = (modelMatrix * vec4(transformed, 1.0)).xyz;\ngroundUp = mat3(modelMatrix) * normal;",
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        /* glsl */ `#include <common>
        varying vec3 groundPlace;
        varying vec3 groundUp;
        uniform float time, contour, caustics;
        float hash2(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }
        float grain(vec2 p) {
          vec2 i = floor(p), f = fract(p);
          f = f * f * (3.0 - 2.0 * f);
          return mix(mix(hash2(i), hash2(i + vec2(1, 0)), f.x), mix(hash2(i + vec2(0, 1)), hash2(i + vec2(1, 1)), f.x), f.y);
        }
        ${causticLight}`,
      )
      .replace(
        "#include <color_fragment>",
        /* glsl */ `#include <color_fragment>
        ${wall ? "if (groundPlace.y > 1.2) discard;" : ""}
        float level_ = abs(normalize(groundUp).y);
        vec2 flat_ = level_ > 0.5 ? groundPlace.xz : vec2(groundPlace.x + groundPlace.z, groundPlace.y); // vertical faces have a separate grain
        float speckle = 0.75 * grain(flat_ * 1.3) + 0.25 * grain(flat_ * 9.0);
        float fineness = exp(-fwidth(groundPlace.x) * 6.0);
        diffuseColor.rgb *= 1.0 + 0.3 * fineness * (speckle - 0.5);
        float light = caustics * exp(groundPlace.y / 8.0) * step(groundPlace.y, 0.0) * exp(-fwidth(groundPlace.x) * 4.0) * smoothstep(0.15, 0.7, level_);
        diffuseColor.rgb += light * 0.55 * web(groundPlace.xz * 0.9 + groundPlace.y * 0.35) * vec3(0.85, 1.0, 0.95);
        ${
          lines
            ? `
        float level = groundPlace.y / contour;
        float w = fwidth(level);
        float line = w < 0.4 && w > 2e-4 ? 1.0 - smoothstep(0.6 * w, 1.6 * w, abs(fract(level - 0.5) - 0.5)) : 0.0;
        float major = w < 0.08 && w > 2e-4 ? 1.0 - smoothstep(0.5 * w, 1.5 * w, 5.0 * abs(fract(level / 5.0 - 0.5) - 0.5)) : 0.0;
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.03, 0.1, 0.14), 0.35 * line + 0.3 * major);
        vec2 squares = groundPlace.xz / 10.0, fine_ = fwidth(squares), off_ = abs(fract(squares - 0.5) - 0.5);
        vec2 grid_ = (1.0 - smoothstep(0.5 * fine_, 1.5 * fine_, off_)) * (1.0 - smoothstep(0.1, 0.4, fine_));
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.8, 0.95, 1.0), 0.28 * max(grid_.x, grid_.y));`
            : ""
        }`,
      );
  };
  material.customProgramCacheKey = () => `ground ${lines} ${wall}`;
  return material;
}

/** A height map of the scene: x east, y north, z up in the root's frame. */
export function heightmapMesh(map: SceneHeightmap, colour: THREE.Color): THREE.Mesh {
  const { columns, rows, x0, y0, dx, dy, heights } = map;
  // Long thin maps (a profile) are split along their short side, so that shading and fog have enough vertices.
  const across = Math.max(1, Math.min(64, Math.round(dx / Math.max(dy, 4)))),
    down = Math.max(1, Math.min(64, Math.round(dy / Math.max(dx, 4))));
  const nx = (columns - 1) * across + 1,
    ny = (rows - 1) * down + 1;
  const p = new Float32Array(3 * nx * ny),
    index: number[] = [];
  const height = (i: number, j: number) => heights[Math.min(rows - 1, j) * columns + Math.min(columns - 1, i)];
  for (let b = 0, k = 0; b < ny; b++)
    for (let a = 0; a < nx; a++, k++) {
      const u = a / across,
        v = b / down,
        i = Math.floor(u),
        j = Math.floor(v),
        f = u - i,
        g = v - j;
      const z =
        (1 - g) * ((1 - f) * height(i, j) + f * height(i + 1, j)) +
        g * ((1 - f) * height(i, j + 1) + f * height(i + 1, j + 1));
      p.set([x0 + u * dx, y0 + v * dy, z], 3 * k);
      const whole = a && b && Number.isFinite(z + p[3 * (k - 1) + 2] + p[3 * (k - nx) + 2] + p[3 * (k - nx - 1) + 2]);
      if (whole) index.push(k - nx - 1, k - nx, k, k - nx - 1, k, k - 1); // NaN: no ground is known there
    }
  for (let k = 2; k < p.length; k += 3) if (!Number.isFinite(p[k])) p[k] = 0;
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(p, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return new THREE.Mesh(geometry, groundMaterial(colour, true));
}

/** A contour interval that suits the relief. */
export function contourFor(heights: ArrayLike<number>): number {
  let low = Infinity,
    high = -Infinity;
  for (let i = 0; i < heights.length; i++) {
    if (heights[i] < low) low = heights[i];
    if (heights[i] > high) high = heights[i];
  }
  const step = Math.max((high - low) / 12, 0.1),
    power = 10 ** Math.floor(Math.log10(step));
  return power * (step / power > 5 ? 10 : step / power > 2 ? 5 : step / power > 1 ? 2 : 1);
}
