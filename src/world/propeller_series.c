#include "world/propeller_series.h"

#include <string.h>

/* c J^s (P/D)^t (A_E/A_0)^u Z^v */
typedef struct term {
    double c;
    int power[4];
} term;

/* (P7) M. M. Bernitsas, D. Ray and P. Kinley, "K_T, K_Q and efficiency curves for the Wageningen B-series propellers",
 * University of Michigan, 1981, for a Reynolds number of 2e6. */
/* clang-format off */
static const term b_thrust[] = {
    {0.00880496, {0, 0, 0, 0}},
    {-0.204554, {1, 0, 0, 0}},
    {0.166351, {0, 1, 0, 0}},
    {0.158114, {0, 2, 0, 0}},
    {-0.147581, {2, 0, 1, 0}},
    {-0.481497, {1, 1, 1, 0}},
    {0.415437, {0, 2, 1, 0}},
    {0.0144043, {0, 0, 0, 1}},
    {-0.0530054, {2, 0, 0, 1}},
    {0.0143481, {0, 1, 0, 1}},
    {0.0606826, {1, 1, 0, 1}},
    {-0.0125894, {0, 0, 1, 1}},
    {0.0109689, {1, 0, 1, 1}},
    {-0.133698, {0, 3, 0, 0}},
    {0.00638407, {0, 6, 0, 0}},
    {-0.00132718, {2, 6, 0, 0}},
    {0.168496, {3, 0, 1, 0}},
    {-0.0507214, {0, 0, 2, 0}},
    {0.0854559, {2, 0, 2, 0}},
    {-0.0504475, {3, 0, 2, 0}},
    {0.010465, {1, 6, 2, 0}},
    {-0.00648272, {2, 6, 2, 0}},
    {-0.00841728, {0, 3, 0, 1}},
    {0.0168424, {1, 3, 0, 1}},
    {-0.00102296, {3, 3, 0, 1}},
    {-0.0317791, {0, 3, 1, 1}},
    {0.018604, {1, 0, 2, 1}},
    {-0.00410798, {0, 2, 2, 1}},
    {-0.000606848, {0, 0, 0, 2}},
    {-0.0049819, {1, 0, 0, 2}},
    {0.0025983, {2, 0, 0, 2}},
    {-0.000560528, {3, 0, 0, 2}},
    {-0.00163652, {1, 2, 0, 2}},
    {-0.000328787, {1, 6, 0, 2}},
    {0.000116502, {2, 6, 0, 2}},
    {0.000690904, {0, 0, 1, 2}},
    {0.00421749, {0, 3, 1, 2}},
    {0.0000565229, {3, 6, 1, 2}},
    {-0.00146564, {0, 3, 2, 2}},
};
static const term b_torque[] = {
    {0.00379368, {0, 0, 0, 0}},
    {0.00886523, {2, 0, 0, 0}},
    {-0.032241, {1, 1, 0, 0}},
    {0.00344778, {0, 2, 0, 0}},
    {-0.0408811, {0, 1, 1, 0}},
    {-0.108009, {1, 1, 1, 0}},
    {-0.0885381, {2, 1, 1, 0}},
    {0.188561, {0, 2, 1, 0}},
    {-0.00370871, {1, 0, 0, 1}},
    {0.00513696, {0, 1, 0, 1}},
    {0.0209449, {1, 1, 0, 1}},
    {0.00474319, {2, 1, 0, 1}},
    {-0.00723408, {2, 0, 1, 1}},
    {0.00438388, {1, 1, 1, 1}},
    {-0.0269403, {0, 2, 1, 1}},
    {0.0558082, {3, 0, 1, 0}},
    {0.0161886, {0, 3, 1, 0}},
    {0.00318086, {1, 3, 1, 0}},
    {0.015896, {0, 0, 2, 0}},
    {0.0471729, {1, 0, 2, 0}},
    {0.0196283, {3, 0, 2, 0}},
    {-0.0502782, {0, 1, 2, 0}},
    {-0.030055, {3, 1, 2, 0}},
    {0.0417122, {2, 2, 2, 0}},
    {-0.0397722, {0, 3, 2, 0}},
    {-0.00350024, {0, 6, 2, 0}},
    {-0.0106854, {3, 0, 0, 1}},
    {0.00110903, {3, 3, 0, 1}},
    {-0.000313912, {0, 6, 0, 1}},
    {0.0035985, {3, 0, 1, 1}},
    {-0.00142121, {0, 6, 1, 1}},
    {-0.00383637, {1, 0, 2, 1}},
    {0.0126803, {0, 2, 2, 1}},
    {-0.00318278, {2, 3, 2, 1}},
    {0.00334268, {0, 6, 2, 1}},
    {-0.00183491, {1, 1, 0, 2}},
    {0.000112451, {3, 2, 0, 2}},
    {-0.0000297228, {3, 6, 0, 2}},
    {0.000269551, {1, 0, 1, 2}},
    {0.00083265, {2, 0, 1, 2}},
    {0.00155334, {0, 2, 1, 2}},
    {0.000302683, {0, 6, 1, 2}},
    {-0.0001843, {0, 0, 2, 2}},
    {-0.000425399, {0, 3, 2, 2}},
    {0.0000869243, {3, 3, 2, 2}},
    {-0.0004659, {0, 6, 2, 2}},
    {0.0000554194, {1, 6, 2, 2}},
};
/* (P8) M. W. C. Oosterveld, "Wake adapted ducted propellers", Wageningen, 1970: Ka 4-70 in nozzle 19A. */
static const term ka_thrust[] = {
    {0.03055, {0, 0, 0, 0}},
    {-0.148687, {1, 0, 0, 0}},
    {-0.391137, {3, 0, 0, 0}},
    {-0.432612, {1, 1, 0, 0}},
    {0.667657, {0, 2, 0, 0}},
    {0.285076, {2, 2, 0, 0}},
    {-0.172529, {0, 3, 0, 0}},
    {-0.017283, {1, 6, 0, 0}},
};
static const term ka_torque[] = {
    {0.006735, {0, 0, 0, 0}},
    {-0.016306, {2, 0, 0, 0}},
    {-0.007244, {4, 0, 0, 0}},
    {-0.024012, {2, 1, 0, 0}},
    {0.005193, {2, 2, 0, 0}},
    {0.046605, {0, 3, 0, 0}},
    {-0.007366, {0, 4, 0, 0}},
    {-0.00173, {0, 6, 0, 0}},
    {-0.000337, {1, 6, 0, 0}},
    {0.000861, {2, 6, 0, 0}},
};
/* clang-format on */

static double power_of(double x, int n)
{
    double product = 1;
    while (n-- > 0)
        product *= x;
    return product;
}

static void add_terms(const term *terms, size_t count, const double factors[4], double k[FM_SCREW_POWERS])
{
    for (size_t i = 0; i < count; i++) {
        double c = terms[i].c;
        for (int f = 1; f < 4; f++)
            c *= power_of(factors[f], terms[i].power[f]);
        k[terms[i].power[0]] += c;
    }
}

void fm_propeller_series_curve(fm_propeller_series series, double pitch, double area, double blades,
                               double kt[FM_SCREW_POWERS], double kq[FM_SCREW_POWERS])
{
    const double factors[4] = {0, pitch, area, blades};
    memset(kt, 0, FM_SCREW_POWERS * sizeof *kt);
    memset(kq, 0, FM_SCREW_POWERS * sizeof *kq);
    if (series == FM_SERIES_WAGENINGEN_B) {
        add_terms(b_thrust, sizeof b_thrust / sizeof *b_thrust, factors, kt);
        add_terms(b_torque, sizeof b_torque / sizeof *b_torque, factors, kq);
    } else if (series == FM_SERIES_KA_4_70) {
        add_terms(ka_thrust, sizeof ka_thrust / sizeof *ka_thrust, factors, kt);
        add_terms(ka_torque, sizeof ka_torque / sizeof *ka_torque, factors, kq);
    }
}

double fm_propeller_last_advance(const double kt[FM_SCREW_POWERS])
{
    double before = kt[0];
    for (int i = 1; i <= 5000; i++) {
        double now = fm_screw_power_sum(kt, i / 1000.0);
        if (now <= -0.2 * kt[0] || (now > before && before < 0))
            return i / 1000.0;
        before = now;
    }
    return 5;
}
