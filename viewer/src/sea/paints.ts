/** Materials of vehicles: paint with caustics, the bending skin of a fish, glass, jets of water. */
import * as THREE from "three";
import { causticLight, shared } from "./ground";

/** Caustics on hulls. */
export function withCaustics(
  material: THREE.MeshStandardMaterial,
  key = "hull",
  further?: (shader: THREE.WebGLProgramParametersWithUniforms) => void,
): THREE.MeshStandardMaterial {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.time = shared.time;
    shader.uniforms.caustics = shared.caustics;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 hullPlace; varying vec3 hullUp;")
      .replace(
        "#include <project_vertex>",
        /* glsl */ `#include <project_vertex>
        mat4 hullFrame = modelMatrix;
        #ifdef USE_INSTANCING
          hullFrame = modelMatrix * instanceMatrix;
        #endif
        hullPlace = (hullFrame * vec4(transformed, 1.0)).xyz;
        hullUp = mat3(hullFrame) * objectNormal;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>\nvarying vec3 hullPlace; varying vec3 hullUp; uniform float time, caustics;\n${causticLight}`,
      )
      .replace(
        "#include <color_fragment>",
        /* glsl */ `#include <color_fragment>
        float shine = caustics * exp(hullPlace.y / 8.0) * step(hullPlace.y, 0.0) * smoothstep(0.0, 0.9, normalize(hullUp).y);
        diffuseColor.rgb += diffuseColor.rgb * shine * 0.9 * web(hullPlace.xz * 1.6 + hullPlace.y * 0.35);`,
      );
    further?.(shader);
  };
  material.customProgramCacheKey = () => key; // distinguishes programs with equal source
  return material;
}

export const jointsMost = 8; // of a spine

/** The skin follows the joints: each turns the part astern of it, smoothly over a fold (m; half of it on each side). */
export function bending(joints: number[]): (shader: THREE.WebGLProgramParametersWithUniforms) => void {
  const places = Array.from({ length: jointsMost }, (_, i) => joints[i] ?? -1e3),
    links = joints.slice(1).map((x, i) => joints[i] - x);
  const fold = Math.min(0.018, ...links.map((l) => 0.45 * l));
  return (shader) => {
    shader.uniforms.joints = { value: places };
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        /* glsl */ `#include <common>
        attribute vec4 bend, bendAft;
        uniform float joints[${jointsMost}];
        vec2 about(vec2 p, float x, float a) { float c = cos(a), s = sin(a); p.x -= x; return vec2(c * p.x - s * p.y + x, s * p.x + c * p.y); }
        float turnOf(int i) { return i < 4 ? bend[i] : bendAft[i - 4]; }
        float foldOf(int i, float x) { return -turnOf(i) * (1.0 - smoothstep(-${fold.toFixed(5)}, ${fold.toFixed(5)}, x - joints[i])); }`,
      )
      .replace(
        "#include <beginnormal_vertex>",
        /* glsl */ `#include <beginnormal_vertex>
        float turned = 0.0;
        for (int i = 0; i < ${Math.min(jointsMost, Math.max(1, joints.length))}; i++) turned += foldOf(i, position.x);
        objectNormal.xy = about(objectNormal.xy, 0.0, turned);`,
      )
      .replace(
        "#include <begin_vertex>",
        /* glsl */ `#include <begin_vertex>
        for (int i = ${Math.min(jointsMost, Math.max(1, joints.length)) - 1}; i >= 0; i--) transformed.xy = about(transformed.xy, joints[i], foldOf(i, position.x));`,
      );
  };
}

export const paint = () =>
  withCaustics(
    new THREE.MeshStandardMaterial({
      vertexColors: true,
      roughness: 0.42,
      metalness: 0.08,
      side: THREE.DoubleSide,
      envMap: shared.sky,
      envMapIntensity: 0.55,
    }),
  );
export const glass = (opacity: number) =>
  new THREE.MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.08,
    metalness: 0.1,
    transparent: true,
    opacity,
    depthWrite: false,
    envMap: shared.sky,
    envMapIntensity: 1.4,
  });
export const skin = (joints: number[], coloured: boolean) =>
  withCaustics(
    new THREE.MeshStandardMaterial({
      vertexColors: coloured,
      roughness: 0.34,
      metalness: 0.12,
      side: THREE.DoubleSide,
      envMap: shared.sky,
      envMapIntensity: 0.7,
    }),
    `skin ${joints}`,
    bending(joints),
  );
export const wash = () =>
  new THREE.MeshBasicMaterial({
    vertexColors: true,
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    blending: THREE.AdditiveBlending,
  });

/** The jet of a screw: a cone that fades. */
export function jetGeometry(): THREE.BufferGeometry {
  const n = 20,
    rows = 5,
    p: number[] = [],
    c: number[] = [],
    index: number[] = [];
  for (let i = 0; i <= rows; i++)
    for (let k = 0; k <= n; k++) {
      const s = i / rows,
        a = (2 * Math.PI * k) / n,
        r = 0.42 + 0.28 * s;
      p.push(-s, r * Math.cos(a), r * Math.sin(a));
      c.push(0.86, 0.97, 1, 0.5 * (1 - s) ** 1.6 * (k % 2 ? 1 : 0.45)); // streaks
      if (i && k) {
        const a0 = (i - 1) * (n + 1) + k - 1,
          b0 = i * (n + 1) + k - 1;
        index.push(a0, b0, b0 + 1, a0, b0 + 1, a0 + 1);
      }
    }
  const g = new THREE.BufferGeometry();
  g.setAttribute("position", new THREE.Float32BufferAttribute(p, 3));
  g.setAttribute("color", new THREE.Float32BufferAttribute(c, 4));
  g.setIndex(index);
  return g;
}
