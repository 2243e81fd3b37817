/* Whatever lies in the shared-memory areas, readers stay within their mapping, and the simulator takes no harm from
 * what emulators write. The first byte says which of the two is tried. */
#include <fathom/emulator.h>
#include <fathom/fathom.h>
#include <stdlib.h>

#include "local/areas.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --- readers --- */

static void read_clients(const fm_shared_map *map)
{
    static fm_shared_client client;
    fm_shared_emulator emulator;
    const fm_shared_emulator *at;
    fm_shared_client_find(map, "auv", &client);
    fm_shared_client_find(map, "", &client);
    for (uint64_t i = 0; i < 70 && (at = fm_shared_emulator_at(map, i)) != NULL; i++)
        fm_shared_copy(&emulator, at, sizeof emulator, 3);
    fm_shared_client_at(map, UINT64_MAX);
    fm_shared_emulator_at(map, UINT64_MAX / 2);
}

static void read_simulation(const fm_shared_map *map)
{
    fm_shared_simulation simulation;
    fm_shared_parameter parameter;
    fm_shared_connection connection;
    const fm_shared_simulation *s = fm_shared_simulation_of(map);
    if (s)
        fm_shared_copy(&simulation, s, sizeof simulation, 3);
    for (uint64_t i = 0; i < 1000 && fm_shared_parameter_at(map, i); i++)
        fm_shared_copy(&parameter, fm_shared_parameter_at(map, i), sizeof parameter, 3);
    for (uint64_t i = 0; i < 1000 && fm_shared_connection_at(map, i); i++)
        fm_shared_copy(&connection, fm_shared_connection_at(map, i), sizeof connection, 3);
    fm_shared_connection_at(map, UINT64_MAX);
}

/* The bytes as an area, with a head that fits or with what they are. */
static void try_readers(const uint8_t *data, size_t size, int fits)
{
    uint64_t *words = calloc(size / 8 + 2, 8);
    if (!words)
        return;
    memcpy(words, data, size);
    fm_shared_map map = {(unsigned char *)words, size};
    fm_shared_head *head = (fm_shared_head *)(void *)words;
    if (fits && size >= sizeof *head) {
        head->magic = FM_SHARED_MAGIC_CLIENTS;
        head->version = FM_SHARED_VERSION;
        head->layout = fm_shared_layout();
        head->size = size;
    }
    fm_shared_fits(&map, FM_SHARED_MAGIC_CLIENTS);
    read_clients(&map);
    read_simulation(&map);
    free(words);
}

/* --- the simulator --- */

static const char sea[] = "<fathom version='1'><world dt='0.1 s' duration='1 s' seed='1'><water density='1025 kg/m3'/>"
                          "<bottom depth='40 m'/></world><vehicle name='auv' position='0 0 10 m'>"
                          "<mass mass='10 kg' inertia='1 1 1 kg*m2'/><pressure/><ctd/></vehicle></fathom>";

static fm_areas *made;

static void close_areas(void)
{
    fm_areas_free(made);
}

static fm_world *open_world(fm_areas **areas)
{
    static fm_world *world;
    char name[32];
    if (!world) {
        fm_model *model = fm_model_load_memory(sea, strlen(sea), "sea.xml", NULL, NULL);
        world = fm_world_create(model, NULL, NULL);
        snprintf(name, sizeof name, "fuzz-%d", (int)getpid());
        if (!world || fm_areas_create(model, &(fm_areas_options){.instance = name}, &made, NULL) != FM_OK)
            abort();
        atexit(close_areas); /* no name is left */
    }
    *areas = made;
    return world;
}

static void try_simulator(const uint8_t *data, size_t size)
{
    fm_areas *areas;
    fm_world *world = open_world(&areas);
    char name[32];
    fm_shared_map map;
    snprintf(name, sizeof name, "fuzz-%d", (int)getpid());
    if (fm_shared_open(&map, "clients", name, 1) != 0)
        abort();
    uint64_t first = sizeof(fm_shared_head) + sizeof(fm_shared_client);
    size_t room = map.size - first;
    memcpy(map.data + first, data, size < room ? size : room);
    fm_shared_close(&map);
    fm_areas_steer(areas, world);
    if (fm_world_step(world, NULL) != FM_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] % 3 == 2)
        try_simulator(data + 1, size - 1);
    else
        try_readers(data + 1, size - 1, data[0] % 3);
    return 0;
}
