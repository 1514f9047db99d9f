/* The scripts of gen/plots/ as lines, embedded at build time. */
#ifndef VEBENCH_PLOT_SCRIPTS_H
#define VEBENCH_PLOT_SCRIPTS_H

/* Ending with NULL. */
extern const char *const plot_script_lines[];
extern const char *const plot_script_bars[];

#endif
