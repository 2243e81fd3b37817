/** The background: water that is lighter above and darker below, sky and horizon; and the light in the water. */
import * as THREE from "three";
import { airColour, waterColour } from "./water";

/** A sky for reflections in hulls and glass: bright above, dark water below. */
export function skyOf(renderer: THREE.WebGLRenderer): THREE.Texture {
  const scene = new THREE.Scene(),
    generator = new THREE.PMREMGenerator(renderer);
  const dome = new THREE.Mesh(
    new THREE.SphereGeometry(10, 32, 24),
    new THREE.ShaderMaterial({
      side: THREE.BackSide,
      vertexShader:
        "varying vec3 d; void main() { d = normalize(position); gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
      fragmentShader: /* glsl */ `varying vec3 d; void main() {
      float h = normalize(d).y;
      vec3 c = mix(vec3(0.02, 0.10, 0.14), vec3(0.55, 0.75, 0.85), smoothstep(-0.25, 0.35, h));
      c += vec3(1.6) * smoothstep(0.93, 0.99, dot(normalize(d), normalize(vec3(0.45, 0.8, 0.3))));
      gl_FragColor = vec4(mix(c, vec3(0.85, 0.95, 1.0), smoothstep(0.5, 1.0, h)), 1.0); }`,
    }),
  );
  scene.add(dome);
  const texture = generator.fromScene(scene, 0.02).texture;
  generator.dispose();
  return texture;
}

export class Ambience {
  readonly fog = new THREE.FogExp2(waterColour.getHex(), 1);
  readonly dome: THREE.Mesh;
  /** the colour in which distant objects end */
  readonly haze = new THREE.Color();
  /** relative to clear water */
  turbidity = 1;
  /** a pool in a hall: no sea around */
  indoors = false;
  private uniforms = {
    middle: { value: new THREE.Color() },
    above: { value: new THREE.Color() },
    below: { value: new THREE.Color() },
    sharp: { value: 0 },
  };

  constructor(scene: THREE.Scene) {
    this.dome = new THREE.Mesh(
      new THREE.SphereGeometry(1, 32, 24),
      new THREE.ShaderMaterial({
        uniforms: this.uniforms,
        side: THREE.BackSide,
        depthTest: false,
        depthWrite: false,
        vertexShader:
          "varying vec3 way; void main() { way = position; vec4 p = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(position, 1.0); gl_Position = p.xyww; }",
        fragmentShader: /* glsl */ `
          uniform vec3 middle, above, below;
          uniform float sharp; // 1: a horizon, 0: water that fades into itself
          varying vec3 way;
          void main() {
            float h = normalize(way).y;
            vec3 c = h > 0.0 ? mix(middle, above, smoothstep(0.0, mix(0.9, 0.45, sharp), h))
                             : mix(middle, below, smoothstep(0.0, mix(0.8, 0.25, sharp), -h));
            c = mix(c, middle * 1.12, 0.55 * sharp * exp(-abs(h) * 60.0)); // a line of haze at the horizon
            gl_FragColor = vec4(c, 1.0); // not tone mapped, as fog is not
            #include <colorspace_fragment>
          }`,
      }),
    );
    this.dome.frustumCulled = false;
    this.dome.renderOrder = -10;
    scene.fog = this.fog;
    scene.background = null;
    scene.add(this.dome);
  }

  /** Sets the light for a camera that looks at something `far` (m) away. `bright`: of the theme. */
  light(camera: THREE.Camera, far: number, bright: number): void {
    const below = camera.position.y < 0,
      u = this.uniforms;
    // Clear water is drawn clearer from far away, so that large scenes are visible; turbid water is not.
    const help = Math.max(0, 1 - (this.turbidity - 1) / 3),
      density = below ? 3.2 / Math.max(7, far) : Math.min(0.3, 7 / Math.max(7, far));
    this.fog.density = this.turbidity * (help * density + (1 - help) * (below ? 1 : 0.6));
    const deep = below ? Math.exp(camera.position.y / 60) : 1,
      water = waterColour.clone().multiplyScalar((0.4 + 0.6 * deep) * bright);
    if (this.indoors) {
      this.fog.density *= 0.25;
      this.fog.color.copy(waterColour).multiplyScalar(1.1 * bright);
      this.haze.set(0x5b727d).multiplyScalar(bright);
      u.middle.value.copy(this.haze);
      u.above.value.set(0x93a6ae).multiplyScalar(bright);
      u.below.value.set(0x2c3b43).multiplyScalar(bright);
    } else if (below) {
      this.fog.color.copy(water);
      this.haze.copy(water);
      u.middle.value.copy(water);
      u.above.value.copy(water).lerp(new THREE.Color(0x8fd3e8), 0.55 * deep);
      u.below.value.copy(water).multiplyScalar(0.28);
    } else {
      this.fog.color.copy(waterColour).multiplyScalar(0.9 * bright);
      this.haze.copy(airColour).multiplyScalar(bright);
      u.middle.value.copy(this.haze);
      u.above.value.set(0x4f8fc4).multiplyScalar(bright);
      u.below.value.copy(waterColour).multiplyScalar(0.5 * bright);
    }
    u.sharp.value = below && !this.indoors ? 0 : 1;
  }
}
