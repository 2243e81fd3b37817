#include "batch/links.h"

#include <string.h>

#include "control/law_link.h"

static const fm_law *law_of(const fm_part *part)
{
    return part->part_class->lanes ? part->part_class->lanes->law : NULL;
}

static const fm_law_links *links_of(const fm_part *part)
{
    return (const fm_law_links *)(const void *)((const char *)part->config + law_of(part)->links);
}

static int32_t link_of(const fm_part *part)
{
    const fm_lane_part *lanes = part->part_class->lanes;
    return !lanes ? FM_LINK_NONE : lanes->law ? FM_LINK_LAW : lanes->link;
}

/* --- what a batch can run --- */

/* Whether an earlier law of the vehicle measures one of these: a batch keeps the metrics of each by themselves. */
static int measures_again(const fm_lane_vehicle *v, const fm_part *part)
{
    const fm_law *law = law_of(part);
    int again = 0;
    for (const fm_part *p = v->parts; p < part; p++)
        for (size_t i = 0; law_of(p) && i < law_of(p)->row_count; i++)
            for (size_t k = 0; k < law->row_count; k++)
                again |= !strcmp(law_of(p)->rows[i].name, law->rows[k].name);
    return again;
}

/* Whether it reads a sensor that is not a law. */
static int reads_others(const fm_lane_vehicle *v, const fm_part *part)
{
    int others = 0;
    for (int64_t i = 0; i < links_of(part)->source_count; i++)
        others |= !law_of(&v->parts[links_of(part)->sources[i]]);
    return others;
}

const char *fm_links_foreign(const fm_lane_vehicle *v)
{
    size_t kept = 0;
    for (size_t i = 0; i < v->part_count; i++) {
        const fm_law *law = law_of(&v->parts[i]);
        kept += law ? fm_law_kept(law) : 0;
        if (law && measures_again(v, &v->parts[i]))
            return "two of its controllers measure the same";
        if (law && reads_others(v, &v->parts[i]))
            return "its controller reads a sensor without a kernel";
    }
    return kept > FM_LAW_KEPT ? "its controllers keep more numbers than a batch takes" : NULL;
}

/* --- the flat form --- */

void fm_links_count(const fm_type *type, fm_flat *head)
{
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_law *law = law_of(&type->parts[i]);
        head->count[FM_FLAT_LINKS] += link_of(&type->parts[i]) != FM_LINK_NONE;
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

static void describe_law(const fm_type *type, const fm_part *part, int32_t params, fm_law_record *r)
{
    const fm_law *law = law_of(part);
    const fm_law_links *links = links_of(part);
    r->id = law->id;
    r->params = params;
    r->kept = (int32_t)fm_law_first(type, part);
    r->state = (int32_t)law->state;
    r->outputs = (int32_t)law->outputs;
    r->channel = (int32_t)part->channel;
    for (int i = 0; i < FM_LAW_SOURCES; i++) {
        const fm_part *source = i < links->source_count ? &type->parts[links->sources[i]] : NULL;
        r->source[i] = source ? (int32_t)(fm_law_first(type, source) + law_of(source)->state) : -1;
    }
    for (int i = 0; i < FM_LAW_ACTUATORS; i++)
        r->actuator[i] = i < links->actuator_count ? (int32_t)links->actuators[i] : -1;
    for (size_t i = 0; i < FM_LAW_METRICS; i++)
        r->metric[i] = i < law->row_count ? (int32_t)law->rows[i].kind : -1;
}

/* Sensors, then controllers, each in file order: as a world goes through them. */
void fm_links_describe(const fm_type *type, fm_flat *flat)
{
    fm_link *link = fm_flat_array(flat, FM_FLAT_LINKS);
    fm_law_record *records = fm_flat_array(flat, FM_FLAT_LAWS);
    double *numbers = fm_flat_array(flat, FM_FLAT_LAW_NUMBERS);
    int32_t laws = 0, params = 0, guides = 0, believes = 0;
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_part *part = &type->parts[i];
        const fm_law *law = law_of(part);
        const enum fm_lane_role role = part->part_class->lanes ? part->part_class->lanes->role : FM_LANE_RECORD;
        if (link_of(part) == FM_LINK_NONE)
            continue;
        *link++ = (fm_link){link_of(part), (int32_t)part->period, law ? laws : guides, believes};
        guides += role == FM_LANE_GUIDE;
        believes |= role == FM_LANE_ESTIMATE;
        if (!law)
            continue;
        describe_law(type, part, params, &records[laws++]);
        memcpy(numbers + params, part->config, law->params * sizeof *numbers);
        params += (int32_t)law->params;
    }
}
