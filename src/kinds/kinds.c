#include "kinds/kinds.h"

#include "kinds/body.h"
#include "kinds/diving.h"
#include "kinds/fish.h"
#include "kinds/foreign.h"

const fm_kind *const fm_kinds[] = {&fm_kind_body, &fm_kind_diving, &fm_kind_fish, &fm_kind_foreign, NULL};
