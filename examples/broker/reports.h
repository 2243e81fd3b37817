/* From samples of a simulated vehicle to what its instruments say. */
#ifndef BROKER_REPORTS_H
#define BROKER_REPORTS_H

#include <fathom/client.h>

#include "formats.h"
#include "serial.h"

typedef enum broker_kind {
    BROKER_DVL,
    BROKER_CTD,
    BROKER_COMPASS,
    BROKER_PRESSURE,
    BROKER_ECHOSOUNDER,
    BROKER_GPS,
    BROKER_MODEM,
    BROKER_MOTORS,
    BROKER_KINDS
} broker_kind;
extern const char *const broker_kind_names[BROKER_KINDS]; /* as elements of a scenario, but the motors */

/* One serial line. */
typedef struct broker_line {
    broker_kind kind;
    char format[16];                 /* "" where there is one only */
    char instrument[FM_CLIENT_NAME]; /* "": the first of its kind */
    broker_serial serial;
    unsigned long reports;
    /* of a DVL */
    unsigned ensemble;
    double last, last_good; /* s UTC */
    double spread;          /* m²/s²: mean square by which beams disagree */
    double travelled[3];    /* m, NED */
    /* of a GPS */
    double last_fix; /* s UTC */
} broker_line;

typedef struct broker {
    fm_client *client;
    double epoch; /* s UTC at the start of the simulation */
    broker_line lines[16];
    int line_count;
} broker;

/* 0: not a format of this kind. */
int broker_format_known(broker_kind kind, const char *format);
/* A sample has come: whoever has a line for it reports. */
void broker_sample(broker *b, const fm_client_sample *sample);
/* A state has come: a GPS under water says so each second. */
void broker_state(broker *b, const fm_client_state *state);

#endif
