/* Which vebench this is. */
#ifndef VEBENCH_VERSION_H
#define VEBENCH_VERSION_H

/* The project's version, with git's description of what was built, or "nogit". */
const char *vebench_version(void);

#endif
