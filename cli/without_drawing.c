/* The commands that draw, in a program that was built without drawing (FATHOM_FIGURES=OFF): they say so. */
#include <stdio.h>

#include "commands.h"
#include "compare.h"
#include "identify.h"
#include "optimise.h"
#include "rays.h"

static const char about[] =
    "This program was built without drawing; configure it with -DFATHOM_FIGURES=ON, which needs cairo.";

static int refuse(int argc, char **argv)
{
    (void)argc;
    fprintf(stderr, "fathom %s: %s\n", argv[0], about);
    return CLI_FAILED;
}

const cli_command cli_plot_command = {
    .name = "plot", .section = "logs", .text = "(not in this build)", .about = about, .main = refuse};
const cli_command cli_report_command = {
    .name = "report", .section = "logs", .text = "(not in this build)", .about = about, .main = refuse};
const cli_command cli_figures_command = {
    .name = "figures", .section = "papers", .text = "(not in this build)", .about = about, .main = refuse};

fm_status cli_rays_draw_fan(const cli_rays *r, fm_error *error)
{
    (void)r;
    return fm_fail(error, FM_ERR_MISSING, "%s", about);
}

fm_status cli_rays_draw_field(const cli_rays *r, const fm_field_options *o, double *loss, fm_error *error)
{
    (void)o, (void)loss;
    return cli_rays_draw_fan(r, error);
}

fm_status cli_compare_draw(const cli_compare_options *options, const cli_compare_channel *channels, size_t count,
                           fm_error *error)
{
    (void)options;
    (void)channels;
    (void)count;
    return fm_fail(error, FM_ERR_MISSING, "%s", about);
}

fm_status cli_identify_draw(const cli_identify_options *options, const fm_fit *fit, fm_error *error)
{
    (void)options;
    (void)fit;
    return fm_fail(error, FM_ERR_MISSING, "%s", about);
}

fm_status cli_optimise_draw(const cli_optimise_options *options, const cli_optimise_case *c, fm_error *error)
{
    (void)options;
    (void)c;
    return fm_fail(error, FM_ERR_MISSING, "%s", about);
}
