/* What a simulated GPU's machine has in /dev: vebench asks system management only if there may be a
 * GPU, and calls one real whose node its driver has open. */
#ifndef TESTS_SIMULATED_HOST_FILES_H
#define TESTS_SIMULATED_HOST_FILES_H

/* In WSL2 the GPU is Windows' own, behind /dev/dxg, and there is no /dev/dri. */
void host_files_begin_wsl(void);

/* On Linux the driver has a node of /dev/dri open, whose vendor by PCI sysfs tells. */
void host_files_begin_drm(unsigned vendor);

#endif
