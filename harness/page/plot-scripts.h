/* The scripts of gen/plots/ as text, embedded at build time. */
#ifndef VEBENCH_PLOT_SCRIPTS_H
#define VEBENCH_PLOT_SCRIPTS_H

extern const char plot_script_lines[];
extern const char plot_script_bars[];

#endif
