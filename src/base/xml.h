/* What every reader of XML needs of libxml2. */
#ifndef FM_BASE_XML_H
#define FM_BASE_XML_H

#include <libxml/parser.h>
#include <stddef.h>

/* A parser of a text in memory, with `user` as its _private and these handlers; NULL: out of memory, without a word.
 * No document types, no network: the handlers must refuse the former. `options`: beside XML_PARSE_NONET. */
xmlParserCtxtPtr fm_xml_parser_create(const char *text, size_t size, const xmlSAXHandler *handler, int options,
                                      void *user);

#endif
