/* The kernels for GPUs, compiled by NVRTC: no GPU is needed. Skipped where the machine has no NVRTC. */
#include "support/scenario.h"

#include "base/memory.h"
#include "batch/cuda.h"
#include "batch/scenario_run.h"

static const fm_cuda_module *module;

/* The module is part of every build. */
static void the_module_for_gpus_is_beside_the_library(void **unused)
{
    (void)unused;
    char reason[200] = "";
    module = fm_cuda_load(reason, sizeof reason);
    if (!module)
        fail_msg("%s", reason);
}

static void nvrtc_compiles_every_kernel(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_model *model =
        load("<fathom version='1'><world dt='0.01 s'/><vehicle name='v' model='remus-100' position='0 0 20 "
             "m'/></fathom>");
    fm_flat *flat = fm_body_flatten(model, &model->types[model->vehicles[0].type], &error);
    assert_non_null(flat);
    const char *missing = NULL;
    for (int program = 0; program < module->programs && !missing; program++)
        for (int single = 0; single < 2 && !missing; single++) {
            char why[4096] = "";
            missing = module->check(program, single, flat, why, sizeof why);
            if (*why)
                fail_msg("program %d in %s: %s", program, single ? "float" : "double", why);
        }
    fm_free(flat);
    fm_model_free(model);
    if (missing) {
        print_message("no kernel was compiled: %s; pip install nvidia-cuda-nvrtc-cu12 and LD_LIBRARY_PATH bring it\n",
                      missing);
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_module_for_gpus_is_beside_the_library),
        cmocka_unit_test(nvrtc_compiles_every_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
