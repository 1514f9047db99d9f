/* Modules and kernels, with the properties that decide whether a run measures what it claims to. */
#ifndef VEBENCH_KERNEL_H
#define VEBENCH_KERNEL_H

#include "spirv-modules.h"
#include "ze/session.h"

/* A kernel made to count its own cycles (spirv/spirv-elapsed.h). It does the same, but the compiler
 * may order it otherwise, so that it takes up to an eighth more or less. */
struct counting_kernel {
    ze_kernel_handle_t handle; /* NULL: there is none */
    void *elapsed;             /* device memory that its longest thread's cycles go to */
};

struct kernel {
    ze_kernel_handle_t handle;
    uint32_t required_subgroup_size; /* 0 if the driver does not say */
    uint32_t compiled_subgroup_size; /* SIMD width of the machine code */
    uint32_t spill_bytes;            /* per hardware thread */
    uint32_t private_bytes;          /* per hardware thread */
    uint32_t slm_bytes;              /* static, per work-group; local arguments come on top */
    uint32_t max_group_size;         /* work-items, for this kernel on this device */
    struct counting_kernel counting;
};

/* Compiles for the session's device with the given driver `build_flags`, or NULL. The error
 * includes the beginning of the compiler's log. */
enum status module_create(struct session *session, const struct spirv_module *spirv,
                          const char *build_flags, ze_module_handle_t *module, struct error *error);
/* The same from machine code obtained by zeModuleGetNativeBinary for this device. */
enum status module_load(struct session *session, const void *native, size_t bytes,
                        const char *build_flags, ze_module_handle_t *module, struct error *error);

void module_destroy(struct session *session, ze_module_handle_t module);

/* Creates the kernel and checks that it was compiled for `subgroup_size`; 0 accepts any.
 * STATUS_FAILED if not, because the row would claim a size that was not measured; the kernel is
 * then still valid and must be destroyed. */
enum status kernel_create(struct session *session, ze_module_handle_t module,
                          const char *entry_point, unsigned subgroup_size, struct kernel *kernel,
                          struct error *error);
/* The same of a kernel that its caller has made, and destroys. */
enum status kernel_adopt(struct session *session, ze_kernel_handle_t handle, struct kernel *kernel,
                         struct error *error);
/* Gives the kernel its counting one, from a module that has it under the same name. Without one if
 * that fails. */
void kernel_add_counting(struct session *session, ze_module_handle_t module,
                         const char *entry_point, struct kernel *kernel);

/* Both. */
void kernel_destroy(struct session *session, struct kernel *kernel);

/* Sets the size of a work-group in work-items, x, y and z; STATUS_UNSUPPORTED, with the limit, if
 * it is too large for the device or the kernel. */
enum status kernel_set_group_size(struct session *session, const struct kernel *kernel,
                                  const uint32_t size[3], struct error *error);

/* How many work-groups of the last size set the device holds at once. STATUS_UNSUPPORTED if the
 * driver does not say. */
enum status kernel_resident_groups(struct session *session, const struct kernel *kernel,
                                   uint32_t *groups, struct error *error);

/* Sets argument `index`; for local memory `value` is NULL and `bytes` the amount. */
enum status kernel_set_argument(struct session *session, const struct kernel *kernel,
                                uint32_t index, size_t bytes, const void *value,
                                struct error *error);

#endif
