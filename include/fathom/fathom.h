/* Fathom, a simulator of underwater vehicles: how they move and what they sense. Includes all headers of libfathom. */
#ifndef FATHOM_FATHOM_H
#define FATHOM_FATHOM_H

#include <fathom/batch.h>
#include <fathom/bridge.h>
#include <fathom/dlpack.h>
#include <fathom/env.h>
#include <fathom/fields.h>
#include <fathom/fish.h>
#include <fathom/fit.h>
#include <fathom/flow.h>
#include <fathom/frames.h>
#include <fathom/guidance.h>
#include <fathom/instrument.h>
#include <fathom/log.h>
#include <fathom/log_reader.h>
#include <fathom/model.h>
#include <fathom/modem.h>
#include <fathom/part.h>
#include <fathom/run.h>
#include <fathom/sea.h>
#include <fathom/search.h>
#include <fathom/sound.h>
#include <fathom/status.h>
#include <fathom/study.h>
#include <fathom/surroundings.h>
#include <fathom/variant.h>
#include <fathom/version.h>
#include <fathom/world.h>

#endif
