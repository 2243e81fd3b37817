/* libFuzzer target: an expression about a run, bound to the names of a scenario. What is refused has a reason; what is
 * accepted is evaluated, and gives the same number when it is read again. */
#include <fathom/fathom.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ask/probe.h"

enum { SAMPLES = 4 };

static const char scenario[] = "<fathom version='1'><world dt='0.1 s' duration='1 s'/>"
                               "<vehicle name='auv' model='tiny' position='0 0 5 m'><depth/></vehicle></fathom>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const fm_model *model(void)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/tests/fuzz/models"};
    static fm_model *loaded;
    fm_error error = {0};
    fm_load_options options = {.model_dirs = dirs, .model_dir_count = 1};
    if (!loaded && !(loaded = fm_model_load_memory(scenario, sizeof scenario - 1, "fuzz.xml", &options, &error)))
        abort();
    return loaded;
}

/* Memory of exactly the size that was asked for. */
static double evaluate(const fm_ask_probe *probe)
{
    fm_world *world = fm_world_create(model(), NULL, NULL);
    const fm_ask *ask = fm_ask_probe_ask(probe);
    double *state = malloc(fm_ask_words(ask) * sizeof *state);
    if (!world || !state)
        abort();
    fm_ask_begin(ask, state);
    for (int i = 0; i < SAMPLES; i++) {
        fm_ask_probe_note(probe, state, world, fm_world_time(world));
        if (fm_world_step(world, NULL) != FM_OK)
            abort();
    }
    const double value = fm_ask_value(ask, state);
    if (fm_ask_is_condition(ask) && value != 0 && value != 1)
        abort();
    free(state);
    fm_world_free(world);
    return value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_error error = {0};
    char name[FM_ASK_NAME], *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    const char *expression = fm_ask_split(text, name, sizeof name);
    if (strlen(name) >= sizeof name)
        abort();
    fm_ask_probe *probe = fm_ask_probe_create(model(), -1, expression, FM_ASK_ANY, NULL, &error);
    if (!probe && !error.text[0])
        abort();
    if (probe) {
        fm_ask_probe *again =
            fm_ask_probe_create(model(), -1, fm_ask_text(fm_ask_probe_ask(probe)), FM_ASK_ANY, NULL, &error);
        const double one = evaluate(probe), other = again ? evaluate(again) : NAN;
        if (!again || memcmp(&one, &other, sizeof one) != 0)
            abort();
        fm_ask_probe_free(again);
    }
    fm_ask_probe_free(probe);
    free(text);
    return 0;
}
