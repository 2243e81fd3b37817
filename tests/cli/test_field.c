/* The field that `fathom rays --field` writes, against an exact integral over wave numbers (Pekeris) and a sum of
 * images. Water of 1500 m/s, 100 m deep, source at 36 m. */
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"
#include "support/solid.h"

#ifdef FM_HAVE_NETCDF
#include <netcdf.h>
#endif

static program_run r;
static const double pi = 3.14159265358979323846, speed = 1500, deep = 100, source = 36;

enum { COLUMNS = 500, ROWS = 200, PLACES = 5 };
static double table[COLUMNS][ROWS];
static const size_t rows[PLACES] = {40, 92, 100, 150, 180}; /* 20 m, 46 m, 50 m, 75 m, 90 m */

static double range_at(size_t column, double range)
{
    return range * ((double)column + 0.5) / COLUMNS;
}

static double depth_at(size_t row)
{
    return deep * ((double)row + 0.5) / ROWS;
}

/* --- the program's field --- */

static void read_table(const char *name, double range)
{
    char line[200];
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "range [m],depth [m],loss [dB]\n");
    for (size_t i = 0; i < COLUMNS; i++)
        for (size_t k = 0; k < ROWS; k++) {
            double x, z;
            assert_int_equal(fscanf(file, "%lf,%lf,%lf", &x, &z, &table[i][k]), 3);
            near("range", x, range_at(i, range), 1e-6);
            near("depth", z, depth_at(k), 1e-6);
        }
    assert_int_equal(fscanf(file, "%199s", line), EOF);
    fclose(file);
}

static void compute(const char *seabed, double frequency, double range, const char *more)
{
    run_fathom(&r,
               "rays --profile iso:1500 --bottom 100 --source-depth 36 --seabed %s --frequency %g --range %g "
               "--field field.csv %s",
               seabed, frequency, range, more);
    expect_run(&r, 0, "");
    read_table("field.csv", range);
}

/* --- the exact one --- */

static double complex bessel(double complex x)
{
    double complex sum = 1, term = 1, p = 0, q = 0;
    if (cabs(x) < 12) {
        for (int n = 1; n < 60; n++)
            sum += term *= -x * x / (4.0 * n * n);
        return sum;
    }
    for (int n = 0; n < 16; n++) {
        *(n % 2 ? &q : &p) += n / 2 % 2 ? -term : term;
        term *= -(2 * n + 1) * (2 * n + 1) / (8 * (n + 1) * x);
    }
    return csqrt(2 / (pi * x)) * (p * ccos(x - pi / 4) - q * csin(x - pi / 4));
}

/* Depth-dependent part of a source of unit pressure at 1 m, for one horizontal wave number. (A bottom of density 0 is
 * rigid.) */
static double complex kernel(const solid *bed, double omega, double complex k, double complex kr, double z)
{
    double complex kz = decaying(k * k - kr * kr);
    double complex v = bed->density > 0 ? solid_reflection(bed, omega, speed, kr, NULL) : 1;
    double low = fmin(z, source), high = fmax(z, source);
    return I / kz *
           (cexp(I * kz * (high - low)) - cexp(I * kz * (high + low)) + v * cexp(I * kz * (2 * deep - high - low)) -
            v * cexp(I * kz * (2 * deep - high + low))) /
           (1 + v * cexp(2 * I * kz * deep));
}

/* rad/m; absorption after Thorp */
static double complex number_of(double frequency)
{
    double ff = frequency * frequency * 1e-6;
    double alpha = 0.11 * ff / (1 + ff) + 44 * ff / (4100 + ff) + 2.75e-4 * ff + 0.003; /* dB/km */
    return 2 * pi * frequency / speed + I * 1e-3 * alpha / 8.685889638;
}

/* ∫ g J0(kr r) kr dkr along a line below the real axis, with poles and branch points above it. */
static void integrate(const solid *bed, double frequency, double range, size_t every, double complex (*p)[PLACES])
{
    double omega = 2 * pi * frequency, step = 2 * pi / (6 * range), below_axis = 2 * step;
    double complex k = number_of(frequency);
    double top = fmax(sqrt(creal(k * k) + 4), bed->shear > 0 ? 1.4 * omega / bed->shear : 0);
    memset(p, 0, COLUMNS * sizeof *p);
    for (int n = -40; n < (int)(top / step); n++) {
        double complex kr = n < 0 ? -I * below_axis * (n + 40.5) / 40 : step * (n + 0.5) - I * below_axis;
        double complex weight = (n < 0 ? -I * below_axis / 40 : step) * kr, g[PLACES];
        for (size_t i = 0; i < PLACES; i++)
            g[i] = kernel(bed, omega, k, kr, depth_at(rows[i])) * weight;
        for (size_t c = every / 2; c < COLUMNS; c += every) {
            double complex j = bessel(kr * range_at(c, range));
            for (size_t i = 0; i < PLACES; i++)
                p[c][i] += g[i] * j;
        }
    }
}

/* Greatest rms difference (dB) over range among the depths. */
static double worst_rms(double complex (*p)[PLACES], size_t every)
{
    double worst = 0;
    for (size_t i = 0; i < PLACES; i++) {
        double sum = 0;
        size_t count = 0;
        for (size_t c = every / 2; c < COLUMNS; c += every, count++)
            sum += pow(table[c][rows[i]] + 20 * log10(cabs(p[c][i])), 2);
        worst = fmax(worst, sqrt(sum / (double)count));
    }
    return worst;
}

static double complex exact[COLUMNS][PLACES];

static const struct {
    const char *name;
    solid bed;
} beds[] = {{"silt", {1.7, 1575, 1.0, 0, 0}},
            {"sand", {1.9, 1650, 0.8, 0, 0}},
            {"gravel", {2.0, 1800, 0.6, 0, 0}},
            {"limestone", {2.4, 3000, 0.1, 1500, 0.2}},
            {"chalk", {2.2, 2400, 0.2, 1000, 0.5}}};

/* Asked for: within 1 dB. */
static void the_field_is_that_of_pekeris(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof beds / sizeof *beds; i++)
        for (int high = 0; high < 2; high++) {
            double frequency = high ? 1000 : 250;
            compute(beds[i].name, frequency, 5000, "");
            integrate(&beds[i].bed, frequency, 5000, 20, exact);
            below(beds[i].name, worst_rms(exact, 20), 0.1);
        }
}

static void the_field_over_a_rigid_bottom_is_the_sum_of_its_images(void **state)
{
    (void)state;
    for (int high = 0; high < 2; high++) {
        double frequency = high ? 1000 : 250;
        double complex k = number_of(frequency);
        compute("rigid", frequency, 2000, "");
        for (size_t c = 5; c < COLUMNS; c += 10)
            for (size_t i = 0; i < PLACES; i++) {
                double x = range_at(c, 2000), z = depth_at(rows[i]);
                exact[c][i] = 0;
                for (int m = 0; m < 1000; m++) {
                    double rise[4] = {2 * deep * m - source + z, 2 * deep * (m + 1) - source - z,
                                      2 * deep * m + source + z, 2 * deep * (m + 1) + source - z};
                    double fade = m < 500 ? 1 : 2 - m / 500.0;
                    for (int n = 0; n < 4; n++) {
                        double length = hypot(x, rise[n]);
                        exact[c][i] += (m + n / 2) % 2 ? -fade * cexp(I * k * length) / length
                                                       : fade * cexp(I * k * length) / length;
                    }
                }
            }
        below(high ? "1 kHz" : "250 Hz", worst_rms(exact, 10), 0.2);
    }
}

/* Beams are what waters of several speeds have; with the sign of a phase wrong they are 7 dB off. Their nature, rays
 * with the coefficient of a plane wave, is good to 0.6 dB at 1 kHz. */
static void beams_agree_with_pekeris(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        compute(beds[i].name, 1000, 5000, "--angles -75:75 --rays 4000");
        integrate(&beds[i].bed, 1000, 5000, 20, exact);
        below(beds[i].name, worst_rms(exact, 20), 0.8);
    }
}

static void absorption_is_that_of_the_way(void **state)
{
    (void)state;
    compute("sand", 4000, 3000, "");
    integrate(&beds[1].bed, 4000, 3000, 25, exact);
    below("sand at 4 kHz", worst_rms(exact, 25), 0.1);
}

#ifdef FM_HAVE_NETCDF
static void netcdf_holds_the_same_field(void **state)
{
    (void)state;
    static double loss[ROWS][COLUMNS], ranges[COLUMNS], depths[ROWS];
    int file, id;
    compute("sand", 250, 5000, "");
    run_fathom(&r, "rays --profile iso:1500 --bottom 100 --source-depth 36 --seabed sand --frequency 250 --range 5000 "
                   "--field field.nc");
    expect_run(&r, 0, "");
    assert_int_equal(nc_open("field.nc", NC_NOWRITE, &file), NC_NOERR);
    assert_int_equal(nc_inq_varid(file, "loss", &id), NC_NOERR);
    assert_int_equal(nc_get_var_double(file, id, &loss[0][0]), NC_NOERR);
    assert_int_equal(nc_inq_varid(file, "range", &id), NC_NOERR);
    assert_int_equal(nc_get_var_double(file, id, ranges), NC_NOERR);
    assert_int_equal(nc_inq_varid(file, "depth", &id), NC_NOERR);
    assert_int_equal(nc_get_var_double(file, id, depths), NC_NOERR);
    nc_close(file);
    for (size_t i = 0; i < COLUMNS; i++)
        for (size_t k = 0; k < ROWS; k++)
            near("loss", loss[k][i], table[i][k], 1e-6);
    near("range", ranges[COLUMNS - 1], range_at(COLUMNS - 1, 5000), 1e-9);
    near("depth", depths[ROWS - 1], depth_at(ROWS - 1), 1e-9);
}
#endif

static void arrivals_are_a_table_too(void **state)
{
    (void)state;
    static const char command[] = "rays --profile iso:1500 --bottom 100 --source-depth 30 --receiver-depth 60 "
                                  "--receiver-range 500 --arrivals";
    run_fathom(&r, "%s arrivals.csv", command);
    expect_run(&r, 0, "");
    char *text = read_file("arrivals.csv", NULL);
    static const char head[] = "time [s],launch [rad],arrival [rad],loss [dB],phase [rad],length [m],surface,bottom,"
                               "caustics\n";
    double time, launch, arrival, loss, phase;
    assert_int_equal(strncmp(text, head, strlen(head)), 0);
    assert_int_equal(sscanf(text + strlen(head), "%lf,%lf,%lf,%lf,%lf", &time, &launch, &arrival, &loss, &phase), 5);
    near("time", 1e3 * time, 333.9328, 1e-4);
    near("launch", launch, atan2(30, 500), 1e-9);
    near("loss", loss, 20 * log10(hypot(500, 30)), 1e-6);
    size_t lines = 0;
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    free(text);
    run_fathom(&r, "%s", command);
    expect_run(&r, 0, "");
    assert_int_equal(atoi(r.out), (int)lines - 1);
    run_fathom(&r, "%s arrivals.txt", command);
    expect_run(&r, 2, "names that end in .csv");
#ifdef FM_HAVE_NETCDF
    int file, id;
    size_t first = 0;
    run_fathom(&r, "%s arrivals.nc", command);
    expect_run(&r, 0, "");
    assert_int_equal(nc_open("arrivals.nc", NC_NOWRITE, &file), NC_NOERR);
    assert_int_equal(nc_inq_varid(file, "time", &id), NC_NOERR);
    assert_int_equal(nc_get_var1_double(file, id, &first, &arrival), NC_NOERR);
    near("time", arrival, time, 1e-12);
    nc_close(file);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_field_is_that_of_pekeris),
        cmocka_unit_test(the_field_over_a_rigid_bottom_is_the_sum_of_its_images),
        cmocka_unit_test(beams_agree_with_pekeris),
        cmocka_unit_test(absorption_is_that_of_the_way),
#ifdef FM_HAVE_NETCDF
        cmocka_unit_test(netcdf_holds_the_same_field),
#endif
        cmocka_unit_test(arrivals_are_a_table_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
