/* A real vehicle: mass and drag of the Slocum glider COMET from its flight in the Baltic Sea, against what its authors
 * found (Merckelbach et al. 2019: 70.10 kg, C_D0 0.150). docs/identify.md has the whole flight; here its first dives,
 * with the glider begun too heavy and too slippery. */
#include "support/near.h"
#include "support/program.h"

#define RECORD FATHOM_SOURCE_DIR "/models/records/slocum_comet_2016"

static program_run r;

static double found(const char *path)
{
    const char *at = strstr(r.out, path);
    at = at ? strstr(at, "\"value\": ") : NULL;
    if (!at)
        fail_msg("no %s in %.2000s%.1000s", path, r.out, r.err);
    return atof(at + strlen("\"value\": "));
}

static void mass_and_drag_of_a_glider_are_those_of_its_authors(void **unused)
{
    (void)unused;
    run_fathom(&r, "identify " RECORD ".xml --data " RECORD
                   ".csv --map glider.z=pressure_bar*10.138 --map glider.u=speed_m_s "
                   "--input glider.theta=pitch_rad --input glider.ballast=ballast_cm3*-0.001005+0.25125 --between "
                   "pressure_bar=0.2:10 "
                   "--set '/world/dt=1 s' --segment 120 --to 1900 --check 10 --sigma 'glider.z=0.15 m' --sigma "
                   "'glider.u=0.012 m/s' "
                   "--set '/glider/mass/mass=70.2 kg' --set '/glider/drag/X_u_absu=-6 N*s2/m2' --fit /glider/mass/mass "
                   "--fit /glider/drag/X_u_absu --json");
    expect_run(&r, 0, "\"converged\": true");
    const double area = 0.5 * 1004 * 0.1; /* ½ρS, kg/m */
    print_message("mass %.4f kg, C_D0 %.4f\n", found("/glider/mass/mass"), -found("/glider/drag/X_u_absu") / area);
    near("mass, kg", found("/glider/mass/mass"), 70.10, 0.001 * 70.10);
    near("C_D0", -found("/glider/drag/X_u_absu") / area, 0.150, 0.1 * 0.150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mass_and_drag_of_a_glider_are_those_of_its_authors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
