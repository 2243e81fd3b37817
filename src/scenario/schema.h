/* The file format for editors and for people: a RELAX NG schema and a reference page from the table of elements.
 *
 * The schema defines elements, attributes, how often they occur, and the form of their values. The reader checks the
 * rest: limits of numbers with units, the dimension of compound units ("m/s" for an angle), equal names of siblings,
 * and the contents of included files. The reader refuses everything that the schema refuses. */
#ifndef FM_SCENARIO_SCHEMA_H
#define FM_SCENARIO_SCHEMA_H

#include "base/text.h"
#include "scenario/tree.h"

enum { FM_SCHEMA_ELEMENTS = 1024 }; /* most elements in a table */

/* All elements at and below a root and below the other roots in the registry's group "root", each once, parents before
 * children. `list` has space for FM_SCHEMA_ELEMENTS. Returns their number. */
size_t fm_elements_collect(const fm_element *root, const fm_registry *registry, const fm_element **list);

/* The RELAX NG schema (XML syntax) of files with this root or one of the registry's, and of their fragments. With
 * FM_READ_PARTIAL nothing is required. The caller frees `out`. */
fm_status fm_schema_write(const fm_element *root, const fm_registry *registry, unsigned flags, fm_text *out,
                          fm_error *error);

/* The reference in Markdown: pages by group of elements, and an index, "README", with the number after the last. */
size_t fm_manual_page_count(void);
const char *fm_manual_page_name(size_t number);
fm_status fm_manual_write(const fm_element *root, const fm_registry *registry, size_t number, fm_text *out,
                          fm_error *error);

#endif
