/* The waypoints listed by a scenario, from the scenario with all effective values in a log. */
#include <libxml/parser.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "plot/run_data.h"

enum { WAYPOINTS_MOST = 4096 };

/* "30 0 5 m" in m; 0: invalid. */
static int read_position(const char *text, double position[3])
{
    fm_unit unit, metre;
    for (int k = 0; k < 3; k++) {
        text += strspn(text, " \t\r\n");
        if (!fm_text_number_read(&text, &position[k]))
            return 0;
    }
    text += strspn(text, " \t\r\n");
    if (fm_unit_parse(text, &unit, NULL) != FM_OK || fm_unit_parse("m", &metre, NULL) != FM_OK ||
        !fm_unit_compatible(&unit, &metre))
        return 0;
    for (int k = 0; k < 3; k++)
        position[k] = fm_unit_convert(position[k], &unit, &metre);
    return 1;
}

static int is_element(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static int has_value(const xmlNode *node, const char *attribute, const char *value)
{
    xmlChar *found = xmlGetProp(node, (const xmlChar *)attribute);
    int same = found && strcmp((const char *)found, value) == 0;
    xmlFree(found);
    return same;
}

static int add_waypoint(fm_run_data *run, fm_run_vehicle *v, const xmlNode *node)
{
    double position[3];
    xmlChar *text = xmlGetProp(node, (const xmlChar *)"position");
    int read = text && read_position((const char *)text, position);
    xmlFree(text);
    if (!read || v->plan_count == WAYPOINTS_MOST)
        return 1;
    if (!v->plan)
        v->plan = fm_arena_alloc(&run->arena, WAYPOINTS_MOST * sizeof *v->plan);
    if (v->plan)
        memcpy(v->plan[v->plan_count++], position, sizeof position);
    return v->plan != NULL;
}

static int read_waypoints(fm_run_data *run, fm_run_vehicle *v, const xmlNode *node)
{
    int ok = 1;
    for (const xmlNode *guide = node->children; guide && ok; guide = guide->next)
        for (const xmlNode *point = is_element(guide, "waypoints") ? guide->children : NULL; point && ok;
             point = point->next)
            if (is_element(point, "waypoint"))
                ok = add_waypoint(run, v, point);
    return ok;
}

fm_status fm_run_plan_read(const fm_mcap_reader *reader, fm_run_data *run, fm_error *error)
{
    const char *text = fm_mcap_get_metadata(reader, "scenario", "resolved");
    if (!text)
        return FM_OK;
    xmlDoc *document = xmlReadMemory(text, (int)strlen(text), "scenario", NULL,
                                     XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    int ok = 1;
    for (const xmlNode *node = root ? root->children : NULL; node && ok; node = node->next)
        for (size_t i = 0; is_element(node, "vehicle") && i < run->vehicle_count && ok; i++)
            if (has_value(node, "name", run->vehicles[i].name))
                ok = read_waypoints(run, &run->vehicles[i], node);
    xmlFreeDoc(document);
    return ok ? FM_OK : fm_run_data_no_memory(error);
}
