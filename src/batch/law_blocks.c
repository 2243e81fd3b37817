#include "batch/law_blocks.h"

#include <string.h>

#include "batch/laws.h"

static const fm_law *law_of(const fm_part *part)
{
    return part->part_class->lanes ? part->part_class->lanes->law : NULL;
}

/* Whether physics/chain.h runs it: laws come before all of these, or after all. */
static int is_in_chain(const fm_part *part)
{
    const fm_lane_part *lanes = part->part_class->lanes;
    return lanes && (lanes->role == FM_LANE_GUIDE || lanes->role == FM_LANE_PILOT || lanes->role == FM_LANE_ESTIMATE ||
                     lanes->role == FM_LANE_FOLLOWER || lanes->role == FM_LANE_RECORD);
}

static int chain_before(const fm_part *parts, const fm_part *part)
{
    int found = 0;
    for (const fm_part *p = parts; p < part; p++)
        found |= is_in_chain(p);
    return found;
}

const char *fm_laws_foreign(const fm_lane_vehicle *v)
{
    size_t kept = 0;
    for (size_t i = 0; i < v->part_count; i++) {
        const fm_law *law = law_of(&v->parts[i]);
        int after = 0;
        for (size_t k = i + 1; k < v->part_count; k++)
            after |= is_in_chain(&v->parts[k]);
        kept += law ? fm_law_kept(law) : 0;
        if (law && after && chain_before(v->parts, &v->parts[i]))
            return "a controller of its own kernel is between others";
    }
    if (kept && fm_lane_count(v, FM_LANE_FEELER))
        return "it feels walls and has other controllers";
    return kept > FM_LAW_KEPT ? "its controllers keep more numbers than a batch takes" : NULL;
}

void fm_laws_count(const fm_type *type, fm_flat *head)
{
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_law *law = law_of(&type->parts[i]);
        head->count[FM_FLAT_LAWS] += law != NULL;
        head->count[FM_FLAT_LAW_NUMBERS] += law ? (uint32_t)law->params : 0;
    }
}

uint32_t fm_law_first(const fm_type *type, const fm_part *part)
{
    size_t first = 0;
    for (const fm_part *p = type->parts; p < part; p++)
        first += law_of(p) ? fm_law_kept(law_of(p)) : 0;
    return (uint32_t)first;
}

uint32_t fm_laws_rows(const fm_type *type)
{
    return fm_law_first(type, type->parts + type->part_count);
}

static void describe(const fm_type *type, const fm_part *part, int32_t params, fm_law_record *r)
{
    const fm_law *law = law_of(part);
    const fm_law_links *links = (const fm_law_links *)(const void *)((const char *)part->config + law->links);
    r->id = law->id;
    r->period = (int32_t)part->period;
    r->early = !chain_before(type->parts, part);
    r->params = params;
    r->kept = (int32_t)fm_law_first(type, part);
    r->state = (int32_t)law->state;
    for (int i = 0; i < FM_LAW_ACTUATORS; i++)
        r->actuator[i] = i < links->actuator_count ? (int32_t)links->actuators[i] : -1;
    for (size_t i = 0; i < FM_LAW_METRICS; i++)
        r->metric[i] = i < law->row_count ? (int32_t)law->rows[i].kind : -1;
}

void fm_laws_describe(const fm_type *type, fm_flat *flat)
{
    double *numbers = fm_flat_array(flat, FM_FLAT_LAW_NUMBERS);
    int32_t params = 0;
    uint32_t at = 0;
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_law *law = law_of(&type->parts[i]);
        if (!law)
            continue;
        char *records = fm_flat_array(flat, FM_FLAT_LAWS);
        describe(type, &type->parts[i], params,
                 (fm_law_record *)(void *)(records + at++ * fm_flat_record(flat, FM_FLAT_LAWS)));
        memcpy(numbers + params, type->parts[i].config, law->params * sizeof *numbers);
        params += (int32_t)law->params;
    }
}
