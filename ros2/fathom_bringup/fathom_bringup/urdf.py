"""The description (URDF) of a vehicle of a fathom_msgs/Scene: its looks on base_link, a link for each mount.

The links are the frames that Fathom publishes itself, so that no robot_state_publisher is needed. URDF knows boxes,
cylinders, spheres and meshes: other looks become the nearest of these. Depends on no other package.
"""

import math
import os
import struct
import xml.etree.ElementTree as ET

BOX, SPHERE, CAPSULE, CYLINDER, ELLIPSOID, CONE, LOFT, FOIL, SCREW, TUNNEL, MESH, SKIN, BAND = range(13)
OPTICAL = (0.0, 0.0, 0.0), (-0.5, 0.5, -0.5, 0.5)
ALONG_X = (0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5))  # URDF's cylinders lie along z, looks along x


def multiply(a, b):
    """Two quaternions x y z w."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def rotate(q, v):
    x, y, z, _ = multiply(multiply(q, (*v, 0.0)), (-q[0], -q[1], -q[2], q[3]))
    return x, y, z


def angles(q):
    """Roll, pitch and yaw about fixed axes, as URDF has them."""
    x, y, z, w = q
    return (
        math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
        math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))),
        math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    )


def pose_of(message):
    p, q = message.position, message.orientation
    return (p.x, p.y, p.z), (q.x, q.y, q.z, q.w)


def below(pose, place, turn=(0.0, 0.0, 0.0, 1.0)):
    """A pose below another."""
    moved = rotate(pose[1], place)
    return tuple(a + b for a, b in zip(pose[0], moved, strict=True)), multiply(pose[1], turn)


def add_origin(element, pose):
    ET.SubElement(
        element, "origin", xyz=" ".join(f"{v:.9g}" for v in pose[0]), rpy=" ".join(f"{v:.9g}" for v in angles(pose[1]))
    )


class Link:
    """A link and its visuals."""

    def __init__(self, robot, name, materials):
        self.element = ET.SubElement(robot, "link", name=name)
        self.materials = materials

    def add(self, pose, shape, colour, **values):
        visual = ET.SubElement(self.element, "visual")
        add_origin(visual, pose)
        geometry = ET.SubElement(visual, "geometry")
        ET.SubElement(geometry, shape, {k: v if isinstance(v, str) else f"{v:.9g}" for k, v in values.items()})
        rgba = f"{colour.r:.3g} {colour.g:.3g} {colour.b:.3g} {colour.a:.3g}"
        name = self.materials.setdefault(rgba, f"colour{len(self.materials)}")
        ET.SubElement(ET.SubElement(visual, "material", name=name), "color", rgba=rgba)

    def add_box(self, pose, size, colour):
        self.add(pose, "box", colour, size=" ".join(f"{max(v, 1e-4):.9g}" for v in size))

    def add_cylinder(self, pose, radius, length, colour):
        """Along x of the pose."""
        self.add(below(pose, (0, 0, 0), ALONG_X), "cylinder", colour, radius=max(radius, 1e-4), length=max(length, 1e-4))


def add_loft(link, pose, size, colour):
    """Stations of x, half breadth, z below and above, exponent: a piece between each two."""
    stations = [size[i : i + 5] for i in range(0, len(size) - 4, 5)]
    for a, b in zip(stations, stations[1:], strict=False):
        x, half, low, high = ((a[i] + b[i]) / 2 for i in range(4))
        length, height = abs(b[0] - a[0]), abs(high - low)
        place = below(pose, (x, 0, (low + high) / 2))
        if abs(height - 2 * half) < 0.1 * height and max(a[4], b[4]) < 3:
            link.add_cylinder(place, half, length, colour)
        else:
            link.add_box(place, (length, 2 * half, height), colour)


def add_mesh(link, pose, look, mesh, folder, name):
    """Written beside the description: RViz loads meshes from files."""
    size = [*look.size, 1.0, 1.0, 1.0][:3] if look.kind == MESH else [1.0, 1.0, 1.0]
    path = os.path.join(folder, f"{name}.{mesh.format or 'stl'}")
    with open(path, "wb") as file:
        file.write(bytes(mesh.data) if mesh.format else stl_of(mesh))
    link.add(pose, "mesh", look.colour, filename=f"file://{path}", scale=" ".join(f"{v:.9g}" for v in size))


def stl_of(mesh):
    corners = [tuple(float(v) for v in mesh.vertices[i : i + 3]) for i in range(0, len(mesh.vertices), 3)]
    count = len(mesh.triangles) // 3
    parts = [b"\0" * 80 + struct.pack("<I", count)]
    for t in range(count):
        points = [corners[int(i)] for i in mesh.triangles[3 * t : 3 * t + 3]]
        parts.append(struct.pack("<12fH", 0, 0, 0, *points[0], *points[1], *points[2], 0))
    return b"".join(parts)


def add_look(link, look, meshes, folder, name):
    pose, size = pose_of(look.pose), [float(v) for v in look.size]
    if look.kind == BOX:
        link.add_box(pose, size[:3], look.colour)
    elif look.kind == SPHERE:
        link.add(pose, "sphere", look.colour, radius=max(size[0] / 2, 1e-4))
    elif look.kind in (CAPSULE, CYLINDER, ELLIPSOID, CONE):
        radius = min(size[1], size[2]) / 2
        link.add_cylinder(pose, radius * (0.6 if look.kind == CONE else 1), size[0], look.colour)
    elif look.kind == LOFT:
        add_loft(link, pose, size, look.colour)
    elif look.kind == FOIL:  # the hinge is the origin; the part ahead of it is known
        span, chord = size[0], (size[1] + size[2]) / 2
        link.add_box(below(pose, (chord * (size[5] - 0.5), 0, span / 2)), (chord, size[4], span), look.colour)
    elif look.kind == SCREW:
        link.add_cylinder(pose, size[0] / 2, size[2] or 0.05 * size[0], look.colour)
    elif look.kind == TUNNEL:
        link.add_cylinder(pose, size[0] / 2, size[1], look.colour)
    elif look.kind in (MESH, SKIN) and folder and 0 <= look.mesh < len(meshes):
        add_mesh(link, pose, look, meshes[look.mesh], folder, name)


def add_fixed(robot, parent, child, pose, materials):
    Link(robot, child, materials)
    joint = ET.SubElement(robot, "joint", name=child, type="fixed")
    add_origin(joint, pose)
    ET.SubElement(joint, "parent", link=parent)
    ET.SubElement(joint, "child", link=child)


def describe(scene, name, folder=None):
    """The URDF of the vehicle of this name; meshes are written into `folder` (None: left out)."""
    vehicle = next(v for v in scene.vehicles if v.name == name)
    robot = ET.Element("robot", name=name)
    materials = {}
    base = Link(robot, f"{name}/base_link", materials)
    for i, look in enumerate(scene.looks):
        if look.type == vehicle.type:
            add_look(base, look, scene.meshes, folder, f"{name}-{i}")
    for mount in scene.mounts:
        if mount.vehicle != name:
            continue
        frame = f"{name}/{mount.name}"
        add_fixed(robot, f"{name}/base_link", frame, pose_of(mount.pose), materials)
        if mount.kind == "camera":
            add_fixed(robot, frame, f"{frame}_optical_frame", OPTICAL, materials)
    return ET.tostring(robot, encoding="unicode")
