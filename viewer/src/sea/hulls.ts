/** Shapes of the scene as meshes: walls and obstacles. Frames are forward (x), port (y), up (z), as in the messages. */
import * as THREE from "three";
import { SceneShape, type Pose, type SceneMesh } from "../messages";

/** Geometry of a shape in its own pose. Sizes are those of fathom_msgs/SceneShape. */
export function shapeGeometry(s: SceneShape, meshes: SceneMesh[]): THREE.BufferGeometry {
  const [a, b, c] = s.size;
  switch (s.kind) {
    case SceneShape.BOX:
      return new THREE.BoxGeometry(a, b, c, 4, 2, 2);
    case SceneShape.SPHERE:
      return new THREE.SphereGeometry(Math.max(a, 1e-3), 32, 20);
    case SceneShape.CYLINDER:
      return new THREE.CylinderGeometry(a, a, b, 32).rotateX(Math.PI / 2);
    case SceneShape.CAPSULE:
      return new THREE.CapsuleGeometry(a, b, 12, 28).rotateX(Math.PI / 2);
    case SceneShape.CONE:
      return new THREE.ConeGeometry(a, b, 28).rotateX(Math.PI / 2);
    case SceneShape.PLANE:
      return new THREE.PlaneGeometry(400, 400, 40, 40);
    case SceneShape.ELLIPSOID:
      return new THREE.SphereGeometry(1, 32, 20).scale(a, b, c);
    case SceneShape.MESH: {
      const mesh = meshes[s.mesh],
        geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(mesh?.vertices ?? []), 3));
      geometry.setIndex([...(mesh?.triangles ?? [])]);
      geometry.computeVertexNormals();
      return geometry;
    }
    default:
      return new THREE.BufferGeometry();
  }
}

export function place(object: THREE.Object3D, pose: Pose): void {
  const { position: p, orientation: q } = pose;
  object.position.set(p.x, p.y, p.z);
  if (q.x || q.y || q.z || q.w) object.quaternion.set(q.x, q.y, q.z, q.w);
}

/** Colours of the real vehicle, chosen by model name, for logs without looks. */
const liveries: [RegExp, { hull: number; trim: number }][] = [
  [/nps-auv|phoenix/i, { hull: 0xf2c230, trim: 0x16181c }],
  [/remus/i, { hull: 0xf5d000, trim: 0x20242a }],
  [/snookie/i, { hull: 0xdfe5ea, trim: 0x5c6b78 }],
  [/fish/i, { hull: 0xe8743b, trim: 0x6b3a24 }],
  [/buoy/i, { hull: 0xff5a36, trim: 0xffffff }],
  [/lauv/i, { hull: 0xff7a1a, trim: 0x14171b }],
  [/bluerov/i, { hull: 0x2f7de1, trim: 0x101317 }],
  [/otter|heron|surface|usv|ship|kvlcc/i, { hull: 0xf4f6f8, trim: 0xd0312d }],
  [/glider|slocum/i, { hull: 0xf7e01e, trim: 0x22262c }],
];
export function liveryOf(model: string): { hull: number; trim: number } {
  return liveries.find(([pattern]) => pattern.test(model))?.[1] ?? { hull: 0xc9d3da, trim: 0x39444d };
}
