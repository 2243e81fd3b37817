/** Light in water: absorption by channel, light from above that fades with depth. All materials share it through the fog
 * chunks of three.js. */
import * as THREE from "three";

export const waterColour = new THREE.Color(0x0d5f7d);
export const airColour = new THREE.Color(0xa9cfe6);

/** Per metre, at turbidity 1: red is absorbed first. */
const absorption = "vec3(0.11, 0.045, 0.036)";

export function patchFog(): void {
  THREE.ShaderChunk.fog_pars_vertex = /* glsl */ `
    #ifdef USE_FOG
      varying vec3 vFogPlace; // its length is not linear over a large triangle
      varying float vFogHeight;
    #endif`;
  THREE.ShaderChunk.fog_vertex = /* glsl */ `
    #ifdef USE_FOG
      vFogPlace = mvPosition.xyz;
      #ifdef USE_INSTANCING
        vFogHeight = (modelMatrix * instanceMatrix * vec4(position, 1.0)).y;
      #else
        vFogHeight = (modelMatrix * vec4(position, 1.0)).y;
      #endif
    #endif`;
  THREE.ShaderChunk.fog_pars_fragment = /* glsl */ `
    #ifdef USE_FOG
      uniform vec3 fogColor;
      uniform float fogDensity;
      varying vec3 vFogPlace; // its length is not linear over a large triangle
      varying float vFogHeight;
    #endif`;
  // Below the surface: light fades with depth down to that of the lamps; distant objects take the colour of the water.
  THREE.ShaderChunk.fog_fragment = /* glsl */ `
    #ifdef USE_FOG
      vec3 down = 0.7 + 0.3 * exp(-${absorption} * 0.6 * max(0.0, -vFogHeight));
      vec3 through = exp(-${absorption} * fogDensity * length(vFogPlace));
      gl_FragColor.rgb = gl_FragColor.rgb * down * through + fogColor * (1.0 - through);
    #endif`;
}

const wavesMost = 400; // the strongest; more than an eye can distinguish

export interface Wave {
  amplitude: number; // m
  east: number; // rad/m
  north: number;
  frequency: number; // rad/s
  phase: number;
}

/** The surface, seen from above and from below. */
export class Surface {
  readonly mesh: THREE.Mesh;
  /** maximum number of components drawn, the strongest ones */
  most = wavesMost;
  private known = 0;
  private uniforms = {
    time: { value: 0 },
    count: { value: 0 },
    waves: {
      value: new THREE.DataTexture(new Float32Array(8 * wavesMost), wavesMost, 2, THREE.RGBAFormat, THREE.FloatType),
    },
    grain: { value: 1 },
    hazeColour: { value: new THREE.Vector3() },
    water: { value: waterColour },
    sky: { value: airColour },
    eye: { value: new THREE.Vector3() },
    dark: { value: 1 },
    clear: { value: 120 },
    bounds: { value: new THREE.Vector4(-1e9, -1e9, 1e9, 1e9) },
    veil: { value: 0.42 },
  };

  constructor() {
    const material = new THREE.ShaderMaterial({
      uniforms: this.uniforms,
      side: THREE.DoubleSide,
      transparent: true,
      depthWrite: false,
      vertexShader: /* glsl */ `
        uniform float time;
        uniform int count;
        uniform float grain; // m, for each unit of the mesh
        uniform sampler2D waves;
        attribute float spacing;
        varying vec3 place;
        varying vec3 up;
        void main() {
          vec4 world = modelMatrix * vec4(position, 1.0);
          vec2 en = vec2(world.x, -world.z);
          float height = 0.0;
          vec2 slope = vec2(0.0);
          // Waves that are too short for the mesh are left out; near the focus all of them are drawn.
          for (int i = 0; i < count; i++) {
            vec4 w = texelFetch(waves, ivec2(i, 0), 0);
            float a = dot(w.yz, en) - w.w * time + texelFetch(waves, ivec2(i, 1), 0).x;
            float seen = 1.0 - smoothstep(0.7, 1.6, length(w.yz) * spacing * grain);
            height += seen * w.x * cos(a);
            slope -= seen * w.x * sin(a) * w.yz;
          }
          world.y += height;
          place = world.xyz;
          up = normalize(vec3(-slope.x, 1.0, slope.y));
          gl_Position = projectionMatrix * viewMatrix * world;
        }`,
      fragmentShader: /* glsl */ `
        uniform float time;
        uniform vec3 water;
        uniform vec3 sky;
        uniform float dark;
        uniform float clear; // m: visibility into the water from above
        uniform vec3 hazeColour; // displayed colour of distant objects
        varying vec3 place;
        varying vec3 up;
        float ripple(vec2 p) {
          return sin(p.x * 1.7 + time * 1.1) * sin(p.y * 1.3 - time * 0.9) + 0.6 * sin(p.x * 3.1 - p.y * 2.3 + time * 1.7);
        }
        uniform vec4 bounds; // of the water: west, north, east, south
        uniform float veil; // opacity from straight above
        void main() {
          if (place.x < bounds.x || place.z < bounds.y || place.x > bounds.z || place.z > bounds.w) discard;
          vec3 ray = place - cameraPosition;
          float range = length(ray);
          vec3 look = ray / range;
          float near = exp(-range / 60.0);
          float e = 0.15;
          vec2 g = vec2(ripple(place.xz + vec2(e, 0.0)) - ripple(place.xz - vec2(e, 0.0)),
                        ripple(place.xz + vec2(0.0, e)) - ripple(place.xz - vec2(0.0, e)));
          vec3 n = normalize(up + 0.025 * near * vec3(g.x, 0.0, g.y));
          bool below = cameraPosition.y < place.y;
          float haze;
          if (below) {
            // Snell's window: within 48.6 degrees of the vertical the sky is seen, outside the deep is mirrored.
            float c = dot(look, n);
            float window = smoothstep(0.60, 0.72, c);
            vec3 colour = mix(water * 0.75, mix(sky, vec3(1.0), 0.35), window * 0.9);
            gl_FragColor = vec4(colour, 0.82 * exp(-range * 0.03)); // what is behind the surface is the haze
            haze = 0.0;
          } else {
            float c = max(0.0, dot(-look, n));
            float fresnel = 0.02 + 0.98 * pow(1.0 - c, 5.0);
            vec3 sun = normalize(vec3(0.4, 0.8, 0.3));
            float glint = pow(max(0.0, dot(reflect(look, n), sun)), 180.0);
            vec3 colour = mix(water * 0.9, sky, fresnel) + glint * 0.8;
            haze = 1.0 - exp(-range / 900.0);
            gl_FragColor = vec4(colour, mix(veil, 0.97, max(fresnel, 1.0 - exp(-range / clear))));
          }
          gl_FragColor.rgb *= dark;
          #include <tonemapping_fragment>
          #include <colorspace_fragment>
          gl_FragColor.rgb = mix(gl_FragColor.rgb, hazeColour, haze);
        }`,
    });
    const geometry = new THREE.PlaneGeometry(1, 1, 160, 160);
    geometry.rotateX(-Math.PI / 2);
    // Fine near the middle, coarse outside: one mesh for a puddle and for the horizon.
    const p = geometry.attributes.position as THREE.BufferAttribute,
      spacing = new Float32Array(p.count);
    const out = (u: number) => Math.sign(u) * (Math.abs(u) * 40 + 4000 * Math.abs(u) ** 7);
    for (let i = 0; i < p.count; i++) {
      const x = 2 * p.getX(i),
        z = 2 * p.getZ(i);
      p.setXYZ(i, out(x), 0, out(z));
      spacing[i] = (40 + 28000 * Math.max(Math.abs(x), Math.abs(z)) ** 6) / 80;
    }
    geometry.setAttribute("spacing", new THREE.BufferAttribute(spacing, 1));
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
  }

  setWaves(waves: Wave[]): void {
    const chosen = [...waves].sort((a, b) => b.amplitude - a.amplitude).slice(0, wavesMost),
      texture = this.uniforms.waves.value;
    this.known = chosen.length;
    chosen.forEach((w, i) => {
      texture.image.data!.set([w.amplitude, w.east, w.north, w.frequency], 4 * i);
      texture.image.data!.set([w.phase, 0, 0, 0], 4 * (wavesMost + i));
    });
    texture.needsUpdate = true;
  }

  /** The water ends at the walls of a pool, if there is one. */
  bound(pools: THREE.Box3[]): void {
    const [box] = pools;
    if (box) this.uniforms.bounds.value.set(box.min.x, box.min.z, box.max.x, box.max.z);
    else this.uniforms.bounds.value.set(-1e9, -1e9, 1e9, 1e9);
    this.uniforms.veil.value = box ? 0.16 : 0.42; // one looks into a pool
  }

  setHaze(colour: THREE.Color): void {
    const c = colour.clone().convertLinearToSRGB();
    this.uniforms.hazeColour.value.set(c.r, c.g, c.b);
  }

  /** `focus`: where the mesh is finest. `haze`: the colour of distant objects. `clear`: m, visibility into the water from above. */
  update(
    time: number,
    camera: THREE.Camera,
    focus: THREE.Vector3,
    dark: number,
    haze: THREE.Color,
    clear: number,
  ): void {
    const distance = Math.max(camera.position.distanceTo(focus), 2 * Math.abs(camera.position.y)),
      grain = 2 ** Math.max(-1, Math.min(4, Math.round(Math.log2(distance / 25))));
    this.uniforms.time.value = time;
    this.uniforms.count.value = Math.min(this.known, this.most);
    this.uniforms.dark.value = dark;
    this.uniforms.clear.value = Math.max(120, clear);
    this.uniforms.grain.value = grain;
    this.setHaze(haze);
    this.mesh.scale.setScalar(grain);
    const step = 0.5 * grain; // whole steps of the mesh, so that its vertices do not swim
    this.mesh.position.set(step * Math.round(focus.x / step), 0, step * Math.round(focus.z / step));
  }
}

/** Particles that drift with the water: they show speed and flow. */
export class Drift {
  readonly points: THREE.Points;
  private flow = new THREE.Vector3();
  private readonly half = 9;

  constructor(count = 900) {
    const p = new Float32Array(3 * count);
    for (let i = 0; i < p.length; i++) p[i] = (Math.random() * 2 - 1) * this.half;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(p, 3));
    const material = new THREE.PointsMaterial({
      color: 0xdff6ff,
      size: 0.035,
      transparent: true,
      opacity: 0.6,
      depthWrite: false,
    });
    material.onBeforeCompile = (shader) => {
      // specks: round, and small even where one passes the camera
      shader.vertexShader = shader.vertexShader.replace(
        "#include <fog_vertex>",
        "gl_PointSize = min(gl_PointSize, 5.0);\n#include <fog_vertex>",
      );
      shader.fragmentShader = shader.fragmentShader.replace(
        "#include <map_particle_fragment>",
        "if (length(gl_PointCoord - 0.5) > 0.5) discard;\n#include <map_particle_fragment>",
      );
    };
    this.points = new THREE.Points(geometry, material);
    this.points.frustumCulled = false;
  }

  /** m/s: east, north, up */
  setFlow(e: number, n: number, u: number): void {
    this.flow.set(e, u, -n);
  }

  update(dt: number, camera: THREE.Camera): void {
    const a = this.points.geometry.attributes.position as THREE.BufferAttribute,
      c = camera.position,
      h = this.half;
    const wrap = (v: number, m: number) => m + ((((v - m + h) % (2 * h)) + 2 * h) % (2 * h)) - h;
    for (let i = 0; i < a.count; i++) {
      const y = wrap(a.getY(i) + this.flow.y * dt, c.y);
      a.setXYZ(i, wrap(a.getX(i) + this.flow.x * dt, c.x), Math.min(y, -0.05), wrap(a.getZ(i) + this.flow.z * dt, c.z));
    }
    a.needsUpdate = true;
    this.points.visible = c.y < 0;
  }
}
