#include "geometry/ray_scene.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void fm_ray_scene_free(fm_ray_scene *s)
{
    if (!s)
        return;
    if (s->scene)
        rtcReleaseScene(s->scene);
    if (s->device)
        rtcReleaseDevice(s->device);
    fm_free(s->planes);
    fm_free(s->plane_memory);
    fm_free(s->meshes);
    fm_free(s->shapes);
    fm_free(s);
}

static fm_status copy_lists(fm_ray_scene *s, const fm_ray_static *what, fm_error *error)
{
    s->meshes = fm_alloc(what->mesh_count * sizeof *s->meshes);
    s->shapes = fm_alloc(what->shape_count * sizeof *s->shapes);
    if (!s->meshes || !s->shapes)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a ray scene of %zu meshes and %zu shapes", what->mesh_count,
                       what->shape_count);
    if (what->mesh_count)
        memcpy(s->meshes, what->meshes, what->mesh_count * sizeof *s->meshes);
    if (what->shape_count)
        memcpy(s->shapes, what->shapes, what->shape_count * sizeof *s->shapes);
    s->mesh_count = what->mesh_count;
    s->shape_count = what->shape_count;
    for (size_t i = 0; i < s->shape_count; i++) {
        fm_status status = fm_shape_check(&s->shapes[i].shape, error);
        if (status != FM_OK)
            return status;
    }
    return FM_OK;
}

static void find_centre(fm_ray_scene *s)
{
    fm_aabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < s->mesh_count; i++) {
        fm_aabb box;
        fm_mesh_aabb(s->meshes[i].mesh, &box);
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], box.low[k]);
            all.high[k] = fmax(all.high[k], box.high[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        s->centre[k] = 0.5 * (all.low[k] + all.high[k]);
        s->extent = fmax(s->extent, 0.5 * (all.high[k] - all.low[k]));
    }
}

static fm_ray_plane make_plane(const fm_ray_scene *s, const fm_mesh *m, const uint32_t t[3])
{
    fm_d3 a = fm_d3_sub(fm_d3_of(m->vertices[t[0]]), fm_d3_of(s->centre));
    fm_d3 b = fm_d3_sub(fm_d3_of(m->vertices[t[1]]), fm_d3_of(s->centre));
    fm_d3 c = fm_d3_sub(fm_d3_of(m->vertices[t[2]]), fm_d3_of(s->centre));
    fm_d3 ab = fm_d3_sub(b, a), ac = fm_d3_sub(c, a), bc = fm_d3_sub(c, b);
    double longest = fmax(fm_d3_dot(ab, ab), fmax(fm_d3_dot(ac, ac), fm_d3_dot(bc, bc)));
    fm_d3 n = fm_d3_cross(ab, ac);
    double area = fm_d3_norm(n), height = longest > 0 ? area / sqrt(longest) : 0; /* area: of two such triangles */
    int exponent;
    frexp(fmax(height, 1e-100), &exponent);
    n = fm_d3_scale(n, area > 0 ? ldexp(1, exponent - 1) / area : 0);
    fm_ray_plane plane = {.offset = fm_d3_dot(n, a)};
    fm_d3_store(n, plane.normal);
    return plane;
}

static fm_status make_planes(fm_ray_scene *s, fm_error *error)
{
    size_t count = 0;
    for (size_t i = 0; i < s->mesh_count; i++)
        count += s->meshes[i].mesh->triangle_count;
    s->planes = fm_alloc(s->mesh_count * sizeof *s->planes);
    s->plane_memory = fm_alloc(count * sizeof **s->planes + sizeof **s->planes);
    if (!s->planes || !s->plane_memory)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the planes of %zu triangles", count);
    fm_ray_plane *next =
        (fm_ray_plane *)(((uintptr_t)s->plane_memory + sizeof *next - 1) / sizeof *next * sizeof *next);
    for (size_t i = 0; i < s->mesh_count; i++) {
        const fm_mesh *m = s->meshes[i].mesh;
        s->planes[i] = next;
        for (size_t k = 0; k < m->triangle_count; k++)
            *next++ = make_plane(s, m, m->triangles[k]);
    }
    return FM_OK;
}

static fm_status embree_status(const fm_ray_scene *s, fm_error *error)
{
    enum RTCError code = rtcGetDeviceError(s->device);
    if (code == RTC_ERROR_NONE)
        return FM_OK;
    return fm_fail(error, code == RTC_ERROR_OUT_OF_MEMORY ? FM_ERR_MEMORY : FM_ERR_LIBRARY, "Embree reports error %d",
                   (int)code);
}

static fm_status attach_mesh(fm_ray_scene *s, const fm_mesh *mesh, unsigned id, fm_error *error)
{
    RTCGeometry geometry = rtcNewGeometry(s->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                              mesh->vertex_count);
    uint32_t *indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                3 * sizeof(uint32_t), mesh->triangle_count);
    if (vertices && indices) {
        for (size_t i = 0; i < mesh->vertex_count; i++)
            for (size_t k = 0; k < 3; k++)
                vertices[3 * i + k] = (float)(mesh->vertices[i][k] - s->centre[k]);
        memcpy(indices, mesh->triangles, mesh->triangle_count * sizeof *mesh->triangles);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(s->scene, geometry, id);
    }
    rtcReleaseGeometry(geometry);
    return embree_status(s, error);
}

static int widest_packet(RTCDevice device)
{
    if (rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED))
        return 16;
    return rtcGetDeviceProperty(device, RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED) ? 8 : 1;
}

static fm_status build(fm_ray_scene *s, fm_error *error)
{
    if (s->mesh_count == 0)
        return FM_OK;
    find_centre(s);
    fm_status planes = make_planes(s, error);
    if (planes != FM_OK)
        return planes;
    s->device = rtcNewDevice("threads=1");
    if (!s->device)
        return fm_fail(error, FM_ERR_LIBRARY, "Embree gives no device (error %d)", (int)rtcGetDeviceError(NULL));
    s->packet = widest_packet(s->device);
    s->scene = rtcNewScene(s->device);
    rtcSetSceneFlags(s->scene, RTC_SCENE_FLAG_ROBUST); /* no gaps between triangles */
    for (size_t i = 0; i < s->mesh_count; i++) {
        fm_status status = attach_mesh(s, s->meshes[i].mesh, (unsigned)i, error);
        if (status != FM_OK)
            return status;
    }
    rtcCommitScene(s->scene);
    return embree_status(s, error);
}

fm_ray_scene *fm_ray_scene_create(const fm_ray_static *what, fm_error *error)
{
    fm_ray_scene *s = fm_alloc(sizeof *s);
    if (!s) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for a ray scene");
        return NULL;
    }
    if (copy_lists(s, what, error) != FM_OK || build(s, error) != FM_OK) {
        fm_ray_scene_free(s);
        return NULL;
    }
    return s;
}
