#include "base/xml.h"

#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

static void __attribute__((format(printf, 2, 3))) say_nothing(void *user, const char *format, ...)
{
    (void)user, (void)format;
}

/* Before a context has our handlers, libxml2 would print that it is out of memory. */
static xmlParserCtxtPtr create_quietly(const char *text, size_t size)
{
    xmlGenericErrorFunc old = xmlGenericError;
    void *old_user = xmlGenericErrorContext;
    xmlSetGenericErrorFunc(NULL, say_nothing);
    xmlParserCtxtPtr context = xmlCreateMemoryParserCtxt(text, (int)size);
    xmlSetGenericErrorFunc(old_user, old);
    return context;
}

xmlParserCtxtPtr fm_xml_parser_create(const char *text, size_t size, const xmlSAXHandler *handler, int options,
                                      void *user)
{
    xmlParserCtxtPtr context = create_quietly(text, size);
    if (!context)
        return NULL;
    context->_private = user;
    *context->sax = *handler;
    xmlCtxtUseOptions(context, XML_PARSE_NONET | options);
    return context;
}
