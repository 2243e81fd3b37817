/** Light in water: absorption by channel, light from above that fades with depth. All materials share it by way of the
 * fog chunks of three.js. */
import * as THREE from "three";

export const waterColour = new THREE.Color(0x0d5f7d);
export const airColour = new THREE.Color(0xa9cfe6);

/** Per metre, at turbidity 1: red goes first. */
const absorption = "vec3(0.16, 0.045, 0.032)";

export function patchFog(): void {
  THREE.ShaderChunk.fog_pars_vertex = /* glsl */ `
    #ifdef USE_FOG
      varying float vFogDepth;
      varying float vFogHeight;
    #endif`;
  THREE.ShaderChunk.fog_vertex = /* glsl */ `
    #ifdef USE_FOG
      vFogDepth = length(mvPosition.xyz);
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
      varying float vFogDepth;
      varying float vFogHeight;
    #endif`;
  // Below the surface: what is deep gets less light, down to the lamps' share; what is far takes the water's colour.
  THREE.ShaderChunk.fog_fragment = /* glsl */ `
    #ifdef USE_FOG
      vec3 down = 0.42 + 0.58 * exp(-${absorption} * 0.7 * max(0.0, -vFogHeight));
      vec3 through = exp(-${absorption} * fogDensity * vFogDepth);
      gl_FragColor.rgb = gl_FragColor.rgb * down * through + fogColor * (1.0 - through);
    #endif`;
}

const wavesMost = 24;

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
  private uniforms = {
    time: { value: 0 },
    count: { value: 0 },
    amplitude: { value: new Float32Array(wavesMost) },
    number: { value: Array.from({ length: wavesMost }, () => new THREE.Vector2()) },
    frequency: { value: new Float32Array(wavesMost) },
    phase: { value: new Float32Array(wavesMost) },
    water: { value: waterColour },
    sky: { value: airColour },
    eye: { value: new THREE.Vector3() },
    dark: { value: 1 },
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
        uniform float amplitude[${wavesMost}];
        uniform vec2 number[${wavesMost}];
        uniform float frequency[${wavesMost}];
        uniform float phase[${wavesMost}];
        varying vec3 place;
        varying vec3 up;
        void main() {
          vec4 world = modelMatrix * vec4(position, 1.0);
          vec2 en = vec2(world.x, -world.z);
          float height = 0.0;
          vec2 slope = vec2(0.0);
          float far = exp(-length(world.xz - cameraPosition.xz) / 400.0);
          for (int i = 0; i < ${wavesMost}; i++) {
            if (i >= count) break;
            float a = dot(number[i], en) - frequency[i] * time + phase[i];
            height += amplitude[i] * cos(a) * far;
            slope -= amplitude[i] * sin(a) * number[i] * far;
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
        varying vec3 place;
        varying vec3 up;
        float ripple(vec2 p) {
          return sin(p.x * 1.7 + time * 1.1) * sin(p.y * 1.3 - time * 0.9) + 0.6 * sin(p.x * 3.1 - p.y * 2.3 + time * 1.7);
        }
        void main() {
          vec3 ray = place - cameraPosition;
          float range = length(ray);
          vec3 look = ray / range;
          float near = exp(-range / 60.0);
          float e = 0.15;
          vec2 g = vec2(ripple(place.xz + vec2(e, 0.0)) - ripple(place.xz - vec2(e, 0.0)),
                        ripple(place.xz + vec2(0.0, e)) - ripple(place.xz - vec2(0.0, e)));
          vec3 n = normalize(up + 0.025 * near * vec3(g.x, 0.0, g.y));
          bool below = cameraPosition.y < place.y;
          if (below) {
            // Snell's window: within 48.6 degrees of the vertical the sky is seen, outside the deep is mirrored.
            float c = dot(look, n);
            float window = smoothstep(0.60, 0.72, c);
            vec3 colour = mix(water * 0.75, mix(sky, vec3(1.0), 0.35), window * 0.9);
            float haze = 1.0 - exp(-range * 0.03);
            gl_FragColor = vec4(mix(colour, water, haze), mix(0.82, 1.0, haze));
          } else {
            float c = max(0.0, dot(-look, n));
            float fresnel = 0.02 + 0.98 * pow(1.0 - c, 5.0);
            vec3 sun = normalize(vec3(0.4, 0.8, 0.3));
            float glint = pow(max(0.0, dot(reflect(look, n), sun)), 180.0);
            vec3 colour = mix(water * 0.9, sky, fresnel) + glint * 0.8;
            gl_FragColor = vec4(mix(colour, sky, 1.0 - exp(-range / 900.0)), mix(0.42, 0.97, max(fresnel, 1.0 - exp(-range / 120.0))));
          }
          gl_FragColor.rgb *= dark;
          #include <tonemapping_fragment>
          #include <colorspace_fragment>
        }`,
    });
    const geometry = new THREE.PlaneGeometry(1, 1, 160, 160);
    geometry.rotateX(-Math.PI / 2);
    // Fine near the middle, coarse outside: one mesh for a puddle and for the horizon.
    const p = geometry.attributes.position as THREE.BufferAttribute;
    for (let i = 0; i < p.count; i++) {
      const x = 2 * p.getX(i), z = 2 * p.getZ(i);
      p.setXYZ(i, Math.sign(x) * (Math.abs(x) * 60 + 2000 * Math.abs(x) ** 5), 0, Math.sign(z) * (Math.abs(z) * 60 + 2000 * Math.abs(z) ** 5));
    }
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
  }

  setWaves(waves: Wave[]): void {
    const chosen = [...waves].sort((a, b) => b.amplitude - a.amplitude).slice(0, wavesMost);
    this.uniforms.count.value = chosen.length;
    chosen.forEach((w, i) => {
      this.uniforms.amplitude.value[i] = w.amplitude;
      this.uniforms.number.value[i].set(w.east, w.north);
      this.uniforms.frequency.value[i] = w.frequency;
      this.uniforms.phase.value[i] = w.phase;
    });
  }

  update(time: number, camera: THREE.Camera, dark: number): void {
    this.uniforms.time.value = time;
    this.uniforms.dark.value = dark;
    this.mesh.position.set(Math.round(camera.position.x), 0, Math.round(camera.position.z));
  }
}

/** Particles that drift with the water: they show speed and flow. */
export class Drift {
  readonly points: THREE.Points;
  private flow = new THREE.Vector3();
  private readonly half = 14;

  constructor(count = 700) {
    const p = new Float32Array(3 * count);
    for (let i = 0; i < p.length; i++) p[i] = (Math.random() * 2 - 1) * this.half;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(p, 3));
    this.points = new THREE.Points(geometry, new THREE.PointsMaterial({ color: 0xdff6ff, size: 1.6, sizeAttenuation: false, transparent: true, opacity: 0.35, depthWrite: false }));
    this.points.frustumCulled = false;
  }

  /** m/s: east, north, up */
  setFlow(e: number, n: number, u: number): void {
    this.flow.set(e, u, -n);
  }

  update(dt: number, camera: THREE.Camera): void {
    const a = this.points.geometry.attributes.position as THREE.BufferAttribute, c = camera.position, h = this.half;
    const wrap = (v: number, m: number) => m + ((((v - m + h) % (2 * h)) + 2 * h) % (2 * h)) - h;
    for (let i = 0; i < a.count; i++) {
      const y = wrap(a.getY(i) + this.flow.y * dt, c.y);
      a.setXYZ(i, wrap(a.getX(i) + this.flow.x * dt, c.x), Math.min(y, -0.05), wrap(a.getZ(i) + this.flow.z * dt, c.z));
    }
    a.needsUpdate = true;
    this.points.visible = c.y < 0;
  }
}
