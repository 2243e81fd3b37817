/* Draws a recorded run and writes a page about it.
 *
 *     cc draw.c $(pkg-config --cflags --libs fathom-draw) -o draw
 *     fathom run SCENARIO.xml --log run.mcap
 *     ./draw run.mcap run.png run.html */
#include <fathom/figures.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s LOG.mcap OVERVIEW.png REPORT.html\n", argv[0]);
        return 2;
    }
    fm_error error = {};
    if (fm_log_draw(argv[1], argv[2], FM_THEME_LIGHT, &error) != FM_OK ||
        fm_log_report(argv[1], argv[3], &error) != FM_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    return 0;
}
