/* `fathom dis` in parts. */
#ifndef CLI_DIS_H
#define CLI_DIS_H

/* The table of dead-reckoning algorithms for a scenario's vehicle, as Markdown on stdout; the exit status. `vehicle`
 * NULL: the first. */
int cli_dis_study(const char *scenario, const char *vehicle);

#endif
