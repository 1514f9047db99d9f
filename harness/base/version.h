/* Which vebench this is. */
#ifndef VEBENCH_VERSION_H
#define VEBENCH_VERSION_H

/* The project's version followed by git's description of the source built, or "nogit". */
const char *vebench_version(void);

#endif
