/* A small sea with two vehicles, and runs of it. */
#ifndef TESTS_RUN_CASE_H
#define TESTS_RUN_CASE_H

#include "support/scenario.h"

/* Two vehicles in open water, 200 steps of 0.05 s. */
static const char case_text[] =
    "<fathom version='1' title='two'><world dt='0.05 s' duration='10 s' seed='7' capacity='4'><water density='1000 "
    "kg/m3'/></world>"
    "<vehicle name='a' model='nps-auv-ii' position='3 4 10 m' velocity='1 0 0 m/s'>"
    "<orders><at t='0 s' propellers='400 rpm'/></orders></vehicle>"
    "<vehicle name='b' model='nps-auv-ii' position='0 20 5 m'/></fathom>";

/* The model that the facts of a program share; load_case and free_case are set-up and end of the group. */
static fm_model *model;

static inline int load_case(void **state)
{
    (void)state;
    model = load(case_text);
    return 0;
}

static inline int free_case(void **state)
{
    (void)state;
    fm_model_free(model);
    return 0;
}

static inline fm_run *case_run(const fm_model *of, const fm_run_options *options)
{
    fm_error error = {0};
    fm_run *made = fm_run_create(of, options, &error);
    if (!made)
        fail_msg("%s", error.text);
    return made;
}

/* Fails with the text of the error, which `call` writes to e. */
#define assert_well(call)                                                                                              \
    do {                                                                                                               \
        fm_error found_ = {0}, *e = &found_;                                                                           \
        if ((call) != FM_OK)                                                                                           \
            fail_msg("%s: %s", #call, e->text);                                                                        \
    } while (0)

#endif
