#include "bridges/ardupilot/ardupilot_launch.h"

#include <fathom/model.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "world/surface.h"

#define DEGREES (180 / 3.14159265358979323846)
enum { PORT = 9002, PORTS = 10 }; /* of instance 0; from one instance to the next */

/* --- firmwares --- */

static const fm_ardupilot_craft crafts[] = {
    {"vectored", "ArduSub", "ardupilot-bluerov2", 400},
    {"vectored-6dof", "ArduSub", "ardupilot-bluerov2-heavy", 400},
    {"skid-steering", "Rover", "ardupilot-otter", 50},
    {"steering-throttle", "Rover", NULL, 50},
};
static const fm_ardupilot_craft other_boat = {NULL, "Rover", NULL, 50}, other_vehicle = {NULL, "ArduSub", NULL, 400};

const fm_ardupilot_craft *fm_ardupilot_craft_of(const fm_pilot_outputs *outputs)
{
    for (size_t i = 0; outputs->frame && i < sizeof crafts / sizeof *crafts; i++)
        if (strcmp(crafts[i].frame, outputs->frame) == 0)
            return &crafts[i];
    return fm_type_floats(outputs->type) ? &other_boat : &other_vehicle;
}

int fm_ardupilot_parameters(const fm_ardupilot_craft *craft, char *path, size_t size)
{
    static const char ending[] = ".parm"; /* in place of ".xml" */
    char found[PATH_MAX], real[PATH_MAX];
    if (!craft->scenario || fm_scenario_find(craft->scenario, found, sizeof found - 1, NULL) != FM_OK)
        return 0;
    memcpy(strrchr(found, '.'), ending, sizeof ending);
    if (access(found, R_OK) != 0 || !realpath(found, real) || strlen(real) >= size)
        return 0;
    memcpy(path, real, strlen(real) + 1);
    return 1;
}

/* --- the command --- */

typedef struct writer {
    char *text;
    size_t length;
} writer;

static void add(writer *w, const char *word)
{
    size_t room = FM_ARDUPILOT_COMMAND - 1 - w->length, size = strlen(word);
    size = size < room ? size : room;
    memcpy(w->text + w->length, word, size);
    w->length += size;
    w->text[w->length] = 0;
}

/* A word that a shell takes as it is. */
static void add_quoted(writer *w, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+:@,";
    if (strspn(word, plain) == strlen(word)) {
        add(w, word);
        return;
    }
    add(w, "'");
    for (; *word; word++)
        add(w, *word == '\'' ? "'\\''" : (char[]){*word, 0});
    add(w, "'");
}

/* Without zeros at its end. */
static void add_degrees(writer *w, double angle)
{
    char text[32];
    int size = snprintf(text, sizeof text, "%.8f", angle);
    while (size > 1 && text[size - 1] == '0')
        text[--size] = 0;
    if (text[size - 1] == '.')
        text[size - 1] = 0;
    add(w, text);
}

/* At altitude 0, the surface. SITL takes latitude and longitude 0 for no place at all, and then its own, 584 m above
 * the sea: that place is moved by 0.1 m. */
static void add_place(writer *w, double latitude, double longitude)
{
    double north = latitude * DEGREES, east = longitude * DEGREES;
    if (fabs(north) < 1e-6 && fabs(east) < 1e-6)
        north = 1e-6;
    add(w, " --custom-location=");
    add_degrees(w, north);
    add(w, ",");
    add_degrees(w, east);
    add(w, ",0,0");
}

/* Which instance of SITL sends to the port. */
static void add_port(writer *w, int port)
{
    char words[64] = "";
    int above = port - PORT;
    if (above > 0 && above % PORTS == 0)
        snprintf(words, sizeof words, " -I %d", above / PORTS);
    else if (above != 0)
        snprintf(words, sizeof words, " -A '--sim-port-out %d'", port);
    add(w, words);
}

void fm_ardupilot_command(const fm_ardupilot_craft *craft, const fm_ardupilot_config *config, double latitude,
                          double longitude, char text[FM_ARDUPILOT_COMMAND])
{
    char path[FM_ARDUPILOT_COMMAND / 2];
    int any = strcmp(config->address, "0.0.0.0") == 0 || strcmp(config->address, "::") == 0;
    writer w = {.text = text};
    add(&w, "sim_vehicle.py -v ");
    add(&w, craft->firmware);
    add(&w, " --model JSON:");
    add_quoted(&w, any ? "127.0.0.1" : config->address);
    add_port(&w, (int)config->port);
    if (fm_ardupilot_parameters(craft, path, sizeof path)) {
        add(&w, " --add-param-file=");
        add_quoted(&w, path);
    }
    add_place(&w, latitude, longitude);
    add(&w, " --map --console");
}

void fm_ardupilot_list(uint32_t channels, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < 32; i++) {
        uint32_t bit = (uint32_t)1 << i, rest = channels & ~(bit - 1 + bit);
        if (!(channels & bit) || length >= size)
            continue;
        const char *before = length == 0 ? "" : rest ? ", " : " and ";
        int n = snprintf(text + length, size - length, "%s%d", before, i + 1);
        length += n > 0 ? (size_t)n : 0;
    }
}
