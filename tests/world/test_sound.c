/* Sound between vehicles: when it arrives, how loud, who hears it, and that nothing is forgotten. */
#include "support/scenario.h"

#include <fathom/sound.h>

#include "world/world.h"

#define BLOCK "<mass mass='40 kg' inertia='1 1 1 kg*m2'/>"
#define PINGER "<transducer frequency='25 kHz' level='180 dB' ping-period='100 s' pulse='1 ms'/>"

/* A scenario of an <acoustics>, with the attributes and content of a vehicle 'a' at 50 m depth and of a second 'b'. */
static const char *scene(const char *acoustics, const char *a, const char *b)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s'>%s</world><vehicle name='a' position='0 0 50 m'>" BLOCK
             "%s</vehicle><vehicle name='b' %s</vehicle></fathom>",
             acoustics, a, b);
    return text;
}

/* Steps until a vehicle has a record of this kind, at most `seconds`; 0: it did not come. */
static int await(fm_world *world, int slot, fm_sound_event event, double seconds, fm_reception *out)
{
    for (int i = 0; i < (int)(seconds / 0.01 + 0.5); i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++)
            if (records[k].slot == slot && records[k].event == event) {
                *out = records[k].sound;
                return 1;
            }
    }
    return 0;
}

static fm_reception heard(fm_world *world, int slot)
{
    fm_reception r = {0};
    assert_true(await(world, slot, FM_SOUND_HEARD, 20, &r));
    return r;
}

#define ISO "<acoustics speed='constant' sound-speed='1500 m/s' absorption='constant'/>"

/* --- times --- */

static void a_ping_arrives_after_distance_over_speed(void **state)
{
    (void)state;
    fm_world *world =
        start(scene(ISO, PINGER, "position='0 1503 50 m'>" BLOCK "<transducer position='0 -1 0 m' name='ear'/>"));
    fm_reception r = heard(world, 1);
    near("time", r.time, 1502.0 / 1500, 1e-12);
    near("stamp", (double)r.stamp, 10013, 0);
    near("tick at which it is delivered", (double)fm_world_tick(world), 102, 0);
    near("way", r.radius, 1502, 1e-9);
    near("from the west", r.direction[1], -1, 1e-12);
    finish(world);
}

/* 1500 m away, receding at 2 m/s: 1500 / (1500 − 2). */
static void a_moving_receiver_is_met_where_it_is_by_then(void **state)
{
    (void)state;
    fm_world *world =
        start(scene(ISO, PINGER, "position='1500 0 50 m' velocity='2 0 0 m/s'>" BLOCK "<transducer name='ear'/>"));
    fm_reception r = heard(world, 1);
    near("time", r.time, 1.001335113484646, 1e-9);
    near("Doppler", r.frequency, 25000 * (1500.0 - 2) / 1500, 1e-6);
    finish(world);
    /* across the way: |p|² = (1200 + 3t)² + 900² */
    world = start(scene(ISO, PINGER, "position='1200 900 50 m' velocity='3 0 0 m/s'>" BLOCK "<transducer/>"));
    double a = 1500.0 * 1500 - 9, b = 2 * 1200 * 3, c = 1200.0 * 1200 + 900.0 * 900;
    near("time across", heard(world, 1).time, (b + sqrt(b * b + 4 * a * c)) / (2 * a), 1e-9);
    finish(world);
}

/* The source is where it was when the sound left, and its speed shifts the frequency. */
static void a_moving_source_leaves_its_sound_behind(void **state)
{
    (void)state;
    char text[2048];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s'>" ISO "</world>"
             "<vehicle name='a' position='0 0 50 m' velocity='2 0 0 m/s'>" BLOCK
             "<transducer frequency='25 kHz' ping-period='100 s' ping-start='0.123456 s'/></vehicle>"
             "<vehicle name='b' position='1500 0 50 m'>" BLOCK "<transducer/></vehicle></fathom>");
    fm_world *world = start(text);
    fm_reception r = heard(world, 1);
    near("left", r.sent, 0.123456, 1e-15);
    near("time", r.time, 0.123456 + (1500 - 2 * 0.123456) / 1500, 1e-9);
    near("Doppler", r.frequency - 25000, 33.378, 5e-4); /* the page's check value */
    finish(world);
}

/* A source 10 ms away is heard in the step after the next, one 1 mm away at once. */
static void a_near_receiver_hears_within_the_tick(void **state)
{
    (void)state;
    fm_world *world = start(scene(ISO, PINGER, "position='3 4 50 m'>" BLOCK "<transducer/>"));
    near("time", heard(world, 1).time, 5.0 / 1500, 1e-15);
    near("ticks", (double)fm_world_tick(world), 2, 0);
    finish(world);
}

/* A vehicle that speeds up and turns while the sound is on its way: it is met on the course that it takes. */
static void a_receiver_that_speeds_up_is_met_on_its_course(void **state)
{
    (void)state;
    fm_world *world = start(scene(ISO, PINGER, "position='1500 0 50 m'>" BLOCK "<transducer/>"));
    const double push[6] = {400}; /* 10 m/s² */
    fm_error error = {0};
    assert_int_equal(fm_world_force(world, "b", push, &error), FM_OK);
    fm_reception r = heard(world, 1);
    /* 1500 + 5 t² = 1500 t */
    near("time", r.time, (1500 - sqrt(1500.0 * 1500 - 4 * 5 * 1500)) / 10, 1e-6);
    finish(world);
}

/* The check values of images: depth 100 m, 30 and 60 m deep, 500 m apart. */
static void images_arrive_at_their_times(void **state)
{
    (void)state;
    static const double times[8] = {0.3339328, 0.3386903, 0.3413047, 0.3520732,
                                    0.366909,  0.3853426, 0.3922018, 0.4146752};
    fm_world *world = start("<fathom version='1'><world dt='0.01 s'><bottom depth='100 m'/>"
                            "<acoustics speed='constant' paths='images' reflections='4'/></world>"
                            "<vehicle name='a' position='0 0 30 m'>" BLOCK PINGER "</vehicle>"
                            "<vehicle name='b' position='500 0 60 m'>" BLOCK "<transducer/></vehicle></fathom>");
    size_t found = 0;
    for (int i = 0; i < 60; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++)
            if (records[k].slot == 1 && records[k].event == FM_SOUND_HEARD && found < 8)
                near("image", records[k].sound.time, times[found++], 6e-8);
    }
    assert_int_equal(found, 8);
    finish(world);
}

/* --- rays --- */

#define RAYS(file, reflections)                                                                                        \
    "<acoustics speed='file' profile='" file "' paths='rays' reflections='" reflections "'/>"

/* Time between two places where the speed is 1500 + 0.017 z. */
static double time_in_gradient(const double a[3], const double b[3])
{
    double d2 = 0, g = 0.017, c1 = 1500 + g * a[2], c2 = 1500 + g * b[2];
    for (int i = 0; i < 3; i++)
        d2 += (a[i] - b[i]) * (a[i] - b[i]);
    return acosh(1 + g * g * d2 / (2 * c1 * c2)) / g;
}

/* The page's check value: 3000 m away and 800 m down, 2.060464449 s. */
static void a_ray_in_an_even_gradient_takes_its_time(void **state)
{
    (void)state;
    fm_world *world =
        start(scene(RAYS("acoustics/linear.csv", "0"), "<transducer position='0 0 -50 m' ping-period='100 s'/>",
                    "position='1800 2400 800 m'>" BLOCK "<transducer/>"));
    fm_reception r = heard(world, 1);
    near("time", r.time, 2.060464449, 1e-9);
    near("from the side", r.direction[1] / r.direction[0], 2400.0 / 1800, 1e-12);
    finish(world);
}

/* Forty pings to a receiver that moves: rays are looked for now and then, followed in between, and always right. */
static void a_moving_receiver_in_a_gradient_is_met_to_a_microsecond(void **state)
{
    (void)state;
    fm_world *world = start(scene(RAYS("acoustics/linear.csv", "1"),
                                  "<transducer ping-period='0.5 s' pulse='1 ms' position='0 0 50 m'/>",
                                  "position='900 200 300 m' velocity='2 -1 0.5 m/s'>" BLOCK "<transducer/>"));
    const double from[3] = {0, 0, 100}, start_at[3] = {900, 200, 300}, v[3] = {2, -1, 0.5};
    int found = 0, reflected = 0;
    for (int i = 0; i < 2000; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++) {
            const fm_reception *r = &records[k].sound;
            if (records[k].slot != 1 || records[k].event != FM_SOUND_HEARD)
                continue;
            double at[3];
            for (int n = 0; n < 3; n++)
                at[n] = start_at[n] + v[n] * r->time;
            reflected += r->surface == 1;
            if (r->surface)
                continue;
            near("time", r->time - r->sent, time_in_gradient(from, at), 1e-9);
            found++;
        }
    }
    assert_int_equal(found, 39);
    assert_int_equal(reflected, 39);
    finish(world);
}

/* Where the speed falls by 0.05 1/s from 1500 m/s, rays between 20 and 5 m of depth reach 1095 + 547 m. */
static void in_the_shadow_nothing_arrives(void **state)
{
    (void)state;
    static const double ranges[2] = {1630, 1660};
    for (int i = 0; i < 2; i++) {
        char place[200];
        fm_reception r;
        snprintf(place, sizeof place, "position='%g 0 5 m'>" BLOCK "<transducer/>", ranges[i]);
        fm_world *world = start(scene(RAYS("acoustics/shadow.csv", "0"),
                                      "<transducer position='0 0 -30 m' ping-period='100 s' level='230 dB'/>", place));
        assert_int_equal(await(world, 1, FM_SOUND_HEARD, 2, &r), i == 0);
        finish(world);
    }
}

/* Over limestone a sound that meets the bottom at 20° loses 10.86 dB by shear waves; as a fluid it would lose nothing.
 */
static void rock_takes_what_its_shear_waves_carry_away(void **state)
{
    (void)state;
    static const char *const bottoms[3] = {
        "bottom='limestone'", "bottom='limestone' bottom-shear-speed='0 m/s'",
        ("bottom='sand' bottom-density='2.4' bottom-speed='3000 m/s' bottom-attenuation='0.1 dB' "
         "bottom-shear-speed='1500 m/s' bottom-shear-attenuation='0.2 dB'")};
    static const double losses[3] = {10.86, 0.01, 10.86};
    const double range = 100 / tan(20 * DEGREE), length = hypot(range, 100);
    for (int i = 0; i < 3; i++) {
        static char acoustics[1024], ear[256];
        snprintf(
            acoustics, sizeof acoustics,
            "<bottom depth='100 m'/><acoustics speed='constant' paths='images' reflections='1' absorption='none' %s/>",
            bottoms[i]);
        snprintf(ear, sizeof ear, "position='%.9f 0 50 m'>" BLOCK "<transducer name='ear'/>", range);
        fm_world *world = start(scene(acoustics, PINGER, ear));
        fm_reception r = {0};
        for (int k = 0; k < 100 && !r.bottom; k++) {
            const fm_sound_record *records;
            step(world, 1);
            for (size_t n = fm_world_sounds(world, &records); n > 0; n--)
                r = records[n - 1].slot == 1 && records[n - 1].sound.bottom ? records[n - 1].sound : r;
        }
        assert_int_equal(r.bottom, 1);
        near("level", r.level, 180 - 20 * log10(length) - losses[i], 0.02);
        finish(world);
    }
}

/* Rays in water of one speed are the images. */
static void rays_in_still_water_are_images(void **state)
{
    (void)state;
    fm_reception all[2][16];
    size_t found[2] = {0};
    for (int rays = 0; rays < 2; rays++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.01 s'><bottom depth='100 m'/>"
                 "<acoustics speed='constant' paths='%s' reflections='3'/></world>"
                 "<vehicle name='a' position='0 0 30 m'>" BLOCK PINGER "</vehicle>"
                 "<vehicle name='b' position='400 300 60 m'>" BLOCK "<transducer/></vehicle></fathom>",
                 rays ? "rays" : "images");
        fm_world *world = start(text);
        for (int i = 0; i < 60; i++) {
            const fm_sound_record *records;
            step(world, 1);
            size_t count = fm_world_sounds(world, &records);
            for (size_t k = 0; k < count; k++)
                if (records[k].slot == 1 && found[rays] < 16)
                    all[rays][found[rays]++] = records[k].sound;
        }
        finish(world);
    }
    assert_int_equal(found[0], 7);
    assert_int_equal(found[1], 7);
    for (size_t i = 0; i < 7; i++) {
        near("time", all[1][i].time, all[0][i].time, 1e-9);
        near("level", all[1][i].level, all[0][i].level, 1e-6);
        near("direction", all[1][i].direction[2], all[0][i].direction[2], 1e-6);
        assert_int_equal(all[1][i].surface, all[0][i].surface);
        assert_int_equal(all[1][i].bottom, all[0][i].bottom);
    }
}

/* A ridge up to 10 m below the surface between two that are 60 m deep; without it they hear each other. */
static void a_ridge_stands_between(void **state)
{
    (void)state;
    for (int ridge = 0; ridge < 2; ridge++)
        for (int rays = 0; rays < 2; rays++) {
            char text[1024];
            fm_reception r;
            snprintf(
                text, sizeof text,
                "<fathom version='1'><world dt='0.01 s'><bottom depth='100 m'><mound height='%d m' centre='300 0 0 m' "
                "sigma='40 40 1 m'/></bottom><acoustics paths='%s' reflections='0'/></world>"
                "<vehicle name='a' position='0 0 60 m'>" BLOCK PINGER "</vehicle>"
                "<vehicle name='b' position='600 0 60 m'>" BLOCK "<transducer/></vehicle></fathom>",
                ridge ? -90 : -1, rays ? "rays" : "straight");
            fm_world *world = start(text);
            assert_int_equal(await(world, 1, FM_SOUND_HEARD, 1, &r), !ridge);
            finish(world);
        }
}

/* --- levels --- */

/* WaVeSim's law with its sign mended, to the page's check values; dead below the noise at 8319.59 m. */
static void wavesim_signals_fade_and_die(void **state)
{
    (void)state;
    static const struct {
        double range, level;
    } checks[] = {{10, 159.95}, {100, 139.5}, {1000, 115.0}, {5000, 81.0206}};
    char place[160];
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        snprintf(place, sizeof place, "position='%.17g 0 50 m'>" BLOCK "<transducer/>", checks[i].range);
        fm_world *world = start(scene("<acoustics law='wavesim'/>", PINGER, place));
        near("level", heard(world, 1).level, checks[i].level, 5e-5);
        finish(world);
    }
    fm_reception r;
    for (int beyond = 0; beyond < 2; beyond++) {
        snprintf(place, sizeof place, "position='%.17g 0 50 m'>" BLOCK "<transducer/>", beyond ? 8319.6 : 8319.5);
        fm_world *world = start(scene("<acoustics law='wavesim' noise-level='60 dB'/>", PINGER, place));
        assert_int_equal(await(world, 1, FM_SOUND_HEARD, 6, &r), !beyond);
        finish(world);
    }
}

/* SL 185, 25 kHz, 5 kHz of band, 1 km, 12 °C, wind 5 m/s: the sonar equation's check value. */
static void the_sonar_equation_holds(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.01 s'><water><temperature surface='12 degC' slope1='0 K/m' "
              "slope2='0 K/m'/></water><wind velocity='5 0 0 m/s'/><acoustics/></world>"
              "<vehicle name='a' position='0 0 20 m'>" BLOCK "<transducer ping-period='100 s'/></vehicle>"
              "<vehicle name='b' position='1000 0 20 m'>" BLOCK "<transducer/></vehicle></fathom>");
    fm_reception r = heard(world, 1);
    near("loss", r.source_level - r.level, 64.71, 0.01);
    near("noise", r.noise, 75.54, 0.01);
    near("SNR", r.snr, 44.75, 0.01);
    finish(world);
}

/* Its own propulsion: 60 dB by 1 W at 1 kHz, 20 dB less a decade of frequency up. */
static void a_vehicle_hears_its_own_propulsion(void **state)
{
    (void)state;
    fm_world *world =
        start(scene(ISO, "<transducer ping-period='1 s'/>",
                    "position='300 0 50 m'>" BLOCK
                    "<battery capacity='1 MJ' hotel='30 W'/><propeller name='screw' thrust='1 N' rated='1000 rpm' "
                    "power='200 W'/><transducer own-noise='60 dB'/>"));
    double quiet = heard(world, 1).noise;
    order(world, "b", "screw", 100);
    step(world, 20);
    double loud = heard(world, 1).noise, power = world->slots[1].vehicle->power - 30;
    double own = 60 + 10 * log10(power) - 20 * log10(25) + 10 * log10(5000);
    assert_greater(power, 1);
    near("noise", loud, 10 * log10(pow(10, quiet / 10) + pow(10, own / 10)), 1e-6);
    finish(world);
}

/* Back and forth a sound takes and loses the same. */
static void ways_are_reciprocal(void **state)
{
    (void)state;
    double time[2], loss[2];
    for (int back = 0; back < 2; back++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.01 s'><acoustics/></world>"
                 "<vehicle name='a' position='0 0 20 m'>" BLOCK "<transducer ping-period='%d s'/></vehicle>"
                 "<vehicle name='b' position='700 300 180 m'>" BLOCK
                 "<transducer ping-period='%d s'/></vehicle></fathom>",
                 back ? 0 : 100, back ? 100 : 0);
        fm_world *world = start(text);
        fm_reception r = heard(world, !back);
        time[back] = r.travelled;
        loss[back] = r.source_level - r.level;
        finish(world);
    }
    near("time", time[0], time[1], 1e-12);
    near("loss", loss[0], loss[1], 1e-9);
}

/* --- transducers --- */

#define TRANSPONDER                                                                                                    \
    "<vehicle name='b' position='1000 0 50 m'>" BLOCK                                                                  \
    "<transducer replies='true' reply-delay='50 ms' reply-frequency='30 kHz' recharge='0.5 s' "
#define ASKING(period)                                                                                                 \
    "<vehicle name='a' position='0 0 50 m'>" BLOCK "<transducer ping-kind='query' ping-period='" period                \
    "' address='7'/></vehicle>"
#define ISO_WORLD "<fathom version='1'><world dt='0.01 s'>" ISO "</world>"

/* Turn-round of a transponder: the reply is back after 2 R/c and its delay, to far less than a tick. */
static void a_transponder_answers_after_its_delay(void **state)
{
    (void)state;
    fm_world *world = start(ISO_WORLD ASKING("100 s") TRANSPONDER "/></vehicle></fathom>");
    fm_reception r = heard(world, 0);
    near("time", r.time, 2000.0 / 1500 + 0.05, 1e-12); /* the page's 1.383333 s */
    near("range", 1500 * (r.time - 0.05) / 2, 1000, 1e-9);
    assert_int_equal(r.kind, FM_SOUND_REPLY);
    assert_int_equal(r.to, 7);
    assert_int_equal(r.answers, 1);
    near("frequency", r.frequency, 30000, 1e-9);
    finish(world);
}

static size_t count_events(fm_world *world, int slot, fm_sound_event event, int steps)
{
    size_t found = 0;
    for (int i = 0; i < steps; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++)
            found += records[k].slot == slot && records[k].event == event;
    }
    return found;
}

/* Asked every 0.3 s, it answers each second time: 0.05 s of delay, 0.01 s of pulse and 0.5 s to recharge. */
static void a_transponder_that_recharges_does_not_answer(void **state)
{
    (void)state;
    fm_world *world = start(ISO_WORLD ASKING("0.3 s") TRANSPONDER "/></vehicle></fathom>");
    step(world, 100);
    size_t sent = count_events(world, 1, FM_SOUND_SENT, 600);
    near("answers in 6 s", (double)sent, 10, 0);
    finish(world);
    world = start(ISO_WORLD ASKING("0.3 s") TRANSPONDER "/></vehicle></fathom>");
    step(world, 100);
    near("refused in 6 s", (double)count_events(world, 1, FM_SOUND_NOT_SENT, 600), 10, 0);
    finish(world);
}

/* Two that ping at the same moments, 6 m apart with pulses of 10 ms, are deaf for each other unless they are duplex. */
static void half_duplex_transducers_are_deaf_while_they_send(void **state)
{
    (void)state;
    for (int duplex = 0; duplex < 2; duplex++) {
        char text[2048];
        snprintf(text, sizeof text,
                 ISO_WORLD "<vehicle name='a' position='0 0 50 m'>" BLOCK
                           "<transducer ping-period='1 s' half-duplex='%s'/></vehicle>"
                           "<vehicle name='b' position='6 0 50 m'>" BLOCK
                           "<transducer ping-period='1 s'/></vehicle></fathom>",
                 duplex ? "false" : "true");
        fm_world *world = start(text);
        near("heard", (double)count_events(world, 0, FM_SOUND_HEARD, 450), duplex ? 5 : 0, 0);
        finish(world);
    }
}

/* By default it hears neither itself nor its neighbour on the same hull. */
static void a_vehicle_does_not_hear_itself(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        char text[2048];
        snprintf(text, sizeof text,
                 ISO_WORLD "<vehicle name='a' position='0 0 50 m'>" BLOCK
                           "<transducer name='mouth' ping-period='1 s'/><transducer name='ear' hears-own='%s' "
                           "position='30 0 0 m'/></vehicle></fathom>",
                 own ? "true" : "false");
        fm_world *world = start(text);
        near("heard", (double)count_events(world, 0, FM_SOUND_HEARD, 250), own ? 3 : 0, 0);
        finish(world);
    }
}

/* A lobe of 60°: −3 dB at 30° off its axis. */
static void a_beam_is_half_as_loud_at_half_its_width(void **state)
{
    (void)state;
    double level[2];
    for (int off = 0; off < 2; off++) {
        char beam[256];
        snprintf(beam, sizeof beam,
                 "<transducer ping-period='100 s' directivity='beam' beam-width='60 deg' attitude='0 0 %d deg'/>",
                 off ? 30 : 0);
        fm_world *world = start(scene(ISO, beam, "position='300 0 50 m'>" BLOCK "<transducer/>"));
        level[off] = heard(world, 1).level;
        finish(world);
    }
    near("off the axis", level[0] - level[1], 3, 1e-9);
}

static void faults_and_bad_luck_silence_it(void **state)
{
    (void)state;
    static const char *const faults[] = {"healthy", "dead", "deaf", "mute"};
    for (int i = 0; i < 4; i++) {
        char ear[256];
        snprintf(ear, sizeof ear,
                 "position='30 0 50 m'>" BLOCK "<transducer ping-period='1 s' ping-start='0.5 s' fault='%s'/>",
                 faults[i]);
        fm_world *world = start(scene(ISO, "<transducer ping-period='1 s'/>", ear));
        fm_reception r;
        assert_int_equal(await(world, 1, FM_SOUND_HEARD, 2, &r), i == 0 || i == 3);
        assert_int_equal(await(world, 0, FM_SOUND_HEARD, 2, &r), i == 0 || i == 2);
        finish(world);
    }
    fm_world *world = start(
        scene(ISO, "<transducer ping-period='0.1 s'/>", "position='30 0 50 m'>" BLOCK "<transducer dropout='0.3'/>"));
    double lost = (double)count_events(world, 1, FM_SOUND_DROPPED, 10000) / 1000;
    near("lost of 1000", lost, 0.3, 4 * sqrt(0.3 * 0.7 / 1000)); /* four standard deviations */
    finish(world);
}

/* Rock between them, or above the water: silence. */
static void what_stands_in_the_way_silences(void **state)
{
    (void)state;
    fm_reception r;
    fm_world *world = start(scene(ISO "<sphere name='rock' position='100 0 50 m' radius='5 m'/>", PINGER,
                                  "position='200 0 50 m'>" BLOCK "<transducer/>"));
    assert_false(await(world, 1, FM_SOUND_HEARD, 1, &r));
    finish(world);
    world = start(scene("<acoustics speed='constant' occlusion='false'/><sphere name='rock' position='100 0 50 m' "
                        "radius='5 m'/>",
                        PINGER, "position='200 0 50 m'>" BLOCK "<transducer/>"));
    assert_true(await(world, 1, FM_SOUND_HEARD, 1, &r));
    finish(world);
    world = start(scene(ISO, PINGER, "position='200 0 50 m'>" BLOCK "<transducer position='0 0 -60 m'/>"));
    assert_false(await(world, 1, FM_SOUND_HEARD, 1, &r));
    finish(world);
}

/* --- the world --- */

#define CROWD                                                                                                          \
    "<fathom version='1'><world dt='0.01 s'><acoustics/></world>"                                                      \
    "<vehicle name='a' count='40' spacing='37 11 1 m' position='0 0 20 m' velocity='1 0.5 0 m/s'>" BLOCK               \
    "<transducer ping-period='0.7 s' payload='8' replies='true' recharge='0.1 s' dropout='0.2'/></vehicle>"            \
    "<vehicle name='q' position='500 0 50 m'>" BLOCK "<transducer ping-kind='query' ping-period='0.9 s'/></vehicle>"   \
    "<vehicle name='z' count='60' spacing='20 -9 0 m' position='-300 0 70 m'>" BLOCK                                   \
    "<transducer/></vehicle></fathom>"

/* Of a hundred transducers in a square those hear a ping that are within its reach, and no others: 180 − 20 log r −
 * 0.005 r is 128 dB at 356 m. */
static void those_within_reach_hear_and_no_others(void **state)
{
    (void)state;
    char text[8192];
    int used =
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.01 s'><acoustics law='wavesim' noise-level='128 dB'/></world>");
    for (int i = 0; i < 10; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<vehicle name='row%d' count='10' position='0 %d 50 m' spacing='100 0 0 m'>" BLOCK
                         "<transducer level='180 dB' ping-period='%d s' ping-start='0.1 s'/></vehicle>",
                         i, 100 * i, i == 3 ? 1000 : 0);
    snprintf(text + used, sizeof text - (size_t)used, "</fathom>");
    fm_world *world = start(text);
    size_t expected = 0, found = 0;
    for (int a = 0; a < 10; a++)
        for (int i = 0; i < 10; i++)
            for (int k = 0; k < 10; k++) {
                double r = 100 * sqrt((double)((a - k) * (a - k) + (3 - i) * (3 - i)));
                expected += r > 0 && 180 - 20 * log10(r) - 0.005 * r >= 128;
            }
    for (int i = 0; i < 60; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++)
            if (records[k].event == FM_SOUND_HEARD) {
                assert_less(records[k].sound.radius, 360);
                found++;
            }
    }
    assert_greater(expected, 200);
    /* those of the row that pings are deaf for the 10 ms of their own ping, which no sound of another reaches */
    assert_int_equal(found, expected);
    finish(world);
}

/* With signals in flight. */
static void a_restored_world_goes_on_bit_for_bit(void **state)
{
    (void)state;
    fm_world *world = start(CROWD), *other = start(CROWD);
    fm_error error = {0};
    step(world, 131);
    size_t size = fm_world_state_size(world);
    void *saved = malloc(size);
    assert_int_equal(fm_world_save(world, saved, size, &error), FM_OK);
    step(other, 17);
    assert_int_equal(fm_world_restore(other, saved, size, &error), FM_OK);
    step(world, 100);
    step(other, 100);
    assert_same(fm_world_hash(world), fm_world_hash(other));
    assert_int_equal(fm_world_restore(world, saved, size, &error), FM_OK);
    step(world, 100);
    assert_same(fm_world_hash(world), fm_world_hash(other));
    assert_int_equal(fm_world_sounds_lost(world), 0);
    free(saved);
    finish(world);
    finish(other);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    fm_world *one = create(load(CROWD), 1), *four = create(load(CROWD), 4);
    step(one, 150);
    step(four, 150);
    assert_same(fm_world_hash(one), fm_world_hash(four));
    finish(one);
    finish(four);
}

static void what_has_no_room_is_counted(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world dt='0.01 s'><acoustics speed='constant' arrivals='3'/></world>"
                            "<vehicle name='a' position='0 0 20 m'>" BLOCK "<transducer ping-period='100 s'/></vehicle>"
                            "<vehicle name='z' count='10' spacing='20 0 0 m' position='300 0 20 m'>" BLOCK
                            "<transducer/></vehicle></fathom>");
    step(world, 2);
    near("lost", (double)fm_world_sounds_lost(world), 8, 0); /* one place is for the next ping */
    finish(world);
}

static void nonsense_is_refused_with_its_reason(void **state)
{
    (void)state;
    static const struct {
        const char *acoustics, *transducer, *words;
    } cases[] = {
        {"<acoustics law='wavesim' speed='column'/>", "", "wavesim"},
        {"<acoustics paths='images'/>", "", "one speed"},
        {"<acoustics bottom-shear-speed='1600 m/s'/>", "", "no such bottom exists"},
        {"<acoustics speed='file'/>", "", "profile"},
        {"<acoustics speed='file' profile='nowhere.csv'/>", "", "nowhere.csv"},
        {"<acoustics/>", "<transducer band='30 20 kHz'/>", "rising"},
        {"<acoustics/>", "<transducer frequency='10 kHz' band='20 30 kHz'/>", "band"},
        {"<acoustics/>", "<transducer ping-period='1 ms'/>", "recharge"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fm_error error = {0};
        assert_null(try_load(scene(cases[i].acoustics, cases[i].transducer, "position='9 9 50 m'>" BLOCK), &error));
        if (!strstr(error.text, cases[i].words) && !strstr(error.file, cases[i].words))
            fail_msg("found: %s", error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ping_arrives_after_distance_over_speed),
        cmocka_unit_test(a_moving_receiver_is_met_where_it_is_by_then),
        cmocka_unit_test(a_moving_source_leaves_its_sound_behind),
        cmocka_unit_test(a_near_receiver_hears_within_the_tick),
        cmocka_unit_test(a_receiver_that_speeds_up_is_met_on_its_course),
        cmocka_unit_test(images_arrive_at_their_times),
        cmocka_unit_test(a_ray_in_an_even_gradient_takes_its_time),
        cmocka_unit_test(a_moving_receiver_in_a_gradient_is_met_to_a_microsecond),
        cmocka_unit_test(in_the_shadow_nothing_arrives),
        cmocka_unit_test(rays_in_still_water_are_images),
        cmocka_unit_test(rock_takes_what_its_shear_waves_carry_away),
        cmocka_unit_test(a_ridge_stands_between),
        cmocka_unit_test(wavesim_signals_fade_and_die),
        cmocka_unit_test(the_sonar_equation_holds),
        cmocka_unit_test(a_vehicle_hears_its_own_propulsion),
        cmocka_unit_test(ways_are_reciprocal),
        cmocka_unit_test(a_transponder_answers_after_its_delay),
        cmocka_unit_test(a_transponder_that_recharges_does_not_answer),
        cmocka_unit_test(half_duplex_transducers_are_deaf_while_they_send),
        cmocka_unit_test(a_vehicle_does_not_hear_itself),
        cmocka_unit_test(a_beam_is_half_as_loud_at_half_its_width),
        cmocka_unit_test(faults_and_bad_luck_silence_it),
        cmocka_unit_test(what_stands_in_the_way_silences),
        cmocka_unit_test(those_within_reach_hear_and_no_others),
        cmocka_unit_test(a_restored_world_goes_on_bit_for_bit),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(what_has_no_room_is_counted),
        cmocka_unit_test(nonsense_is_refused_with_its_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
