/* A sensor of one's own, as a plugin: an acoustic probe that looks ahead and measures the water where it sits.
 *
 *     cc -shared -fPIC probe.c -o libprobe.so $(pkg-config --cflags fathom)
 *
 *     <vehicle name="phoenix" model="nps-auv-ii">
 *       <probe plugin="./libprobe.so" name="bow" period="0.5 s" position="2 0 0 m" reach="50 m" noise="0.02 m"/>
 *     </vehicle>
 *
 * `name` and `period` are those of every part. */
#include <fathom/fathom.h>
#include <math.h>

typedef struct probe_config {
    double noise; /* m; live: it stands at the head of the config */
    double reach; /* m */
    fm_mount mount;
} probe_config;

typedef struct probe_output {
    fm_reading reading; /* how fresh it is */
    double range;       /* m ahead, infinite: nothing within reach */
    double echo;        /* 0 … 1: reflectivity, weaker where the beam only grazes */
    double temperature; /* °C */
    double current[3];  /* m/s, NED: velocity of the water */
} probe_output;

static const fm_attr attrs[] = {
    FM_REAL_ATTR(probe_config, noise, "noise", "m", 0, 10, "0 m", FM_ATTR_LIVE, "standard deviation of the range"),
    FM_REAL_ATTR(probe_config, reach, "reach", "m", 0.1, 1e4, "50 m", 0, "how far it sees"),
    FM_MOUNT_ATTRS(probe_config, mount, "0 0 0 deg"),
};

static const fm_element element =
    FM_TABLE_ELEMENT(probe_config, "probe", attrs, NULL, 0, "Range ahead, and the water.");

static void turn(const double R[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

static void run(const fm_part_context *context)
{
    const probe_config *config = (const probe_config *)context->config, *live = (const probe_config *)context->live;
    const fm_vehicle_view *vehicle = context->vehicle;
    const double forward[3] = {config->mount.rotation[0], config->mount.rotation[3], config->mount.rotation[6]};
    probe_output *out = (probe_output *)context->output;
    double point[1][3], ahead[1][3];
    fm_echo_info echo;
    fm_water_info water;
    turn(vehicle->rotation, config->mount.position, point[0]);
    for (int i = 0; i < 3; i++)
        point[0][i] += vehicle->position[i];
    turn(vehicle->rotation, forward, ahead[0]);
    fm_part_rays(context, 1, (const double(*)[3])point, (const double(*)[3])ahead, config->reach, &echo);
    out->range = echo.distance + live->noise * fm_part_normal(context, 0, 0);
    out->echo = echo.reflectivity * echo.cosine;
    if (fm_part_water(context, point[0], &water)) {
        out->temperature = water.temperature;
        for (int i = 0; i < 3; i++)
            out->current[i] = water.velocity[i];
    }
    out->reading = (fm_reading){.count = out->reading.count + 1, .valid = 1, .time = context->time};
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(probe_output, range, "range", "m", FM_QUANTITY_RANGE),
    FM_OUTPUT_NUMBER(probe_output, echo, "echo", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(probe_output, temperature, "temperature", "degC", FM_QUANTITY_TEMPERATURE),
    FM_OUTPUT_FIELD(probe_output, current, "current", "m/s", 3, FM_OUTPUT_PLAIN, FM_QUANTITY_NONE),
};

static const fm_part_class probe_class = {.kind = FM_PART_SENSOR,
                                          .element = &element,
                                          .live_size = offsetof(probe_config, reach),
                                          .output_size = sizeof(probe_output),
                                          .outputs = outputs,
                                          .output_count = FM_COUNT(outputs),
                                          .counts = FM_COUNTS_READING,
                                          .mount = FM_MOUNT_AT(probe_config, mount),
                                          .run = run};

static const fm_part_class *const classes[] = {&probe_class};
const fm_plugin fm_plugin_v1 = {.abi = FM_PLUGIN_ABI, .class_count = FM_COUNT(classes), .classes = classes};
