/* The device node of i915 or xe: what open, ioctl and mmap on /dev/dri/renderD128 do. One node for
 * the process, a file for each open(2); handles and contexts belong to the file. */
#ifndef VESIM_NODE_H
#define VESIM_NODE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "streamer/cs.h"
#include "vesim/vesim.h"

/* Where buffers are, as xe numbers it: the host's memory, and from LOCAL_REGION on that of each
 * stack. */
enum { HOST_REGION, LOCAL_REGION, REGIONS_MAX = LOCAL_REGION + VESIM_STACKS_MAX };

#define ENGINE_SLOTS_MAX 64 /* I915_EXEC_RING_MASK */
#define EXTENSIONS_MAX   16 /* a longer chain must be a loop */

/* Where xe's barrier page is in the node's file: no buffer is there. */
#define NODE_BARRIER_OFFSET (UINT64_C(1) << 60)

/* A buffer object. */
struct buffer_object {
    uint64_t size;     /* bytes, whole pages */
    uint64_t physical; /* and, unless userptr, the offset at which the program maps it */
    uint8_t *host;
    bool userptr;
    bool userptr_checked; /* the program's pages have been checked */
    unsigned region;      /* HOST_REGION, or LOCAL_REGION and the stack whose memory it is in */
    unsigned references;  /* handles and submissions */
    unsigned busy;        /* submissions */
    int fd;               /* file of its pages, once other processes may have them, or -1 */
    struct buffer_object *next_shared; /* in the node's list */
};

/* Where a part of a buffer is in an address space: whole pages. */
struct binding {
    uint64_t address, size; /* bytes */
    uint64_t offset;        /* of its first byte in the buffer */
    struct buffer_object *buffer;
};

/* A GPU's address space, of one context or shared by several. */
struct vm {
    unsigned references; /* ids, contexts and, with xe, submissions */
    bool holds_buffers;  /* each binding has a reference to its buffer (xe) */
    uint64_t changes;    /* so many times something was bound or unbound (xe) */
    bool serves_faults;  /* in fault mode (xe) */
    uint64_t mirror_end; /* below it, what is unbound are the program's own addresses (xe) */
    struct binding *bindings;
    uint32_t binding_count, binding_capacity;
};

/* The device's and the host's memory. */
struct memory {
    int fd;                                   /* empty; what the program's descriptors are */
    uint64_t next[REGIONS_MAX], next_userptr; /* physical; never reused */
    uint64_t used[REGIONS_MAX];
};

struct gem_context {
    uint32_t id;
    bool persistent;
    bool has_map; /* the program chose its engines */
    int priority; /* of turns, from -1023 to 1023; below xe -1, 0 or 1 */
    unsigned slot_count;
    struct {
        enum cs_engine engine;
        unsigned stack;
        bool valid;
        struct cs_context *context; /* made when first used */
    } slots[ENGINE_SLOTS_MAX];
    struct vm *vm;
};

struct node {
    struct vesim_device device;
    struct cs *cs;
    struct memory memory;
    struct buffer_object *shared; /* buffers with an fd */
    struct vesim_settings settings;
    bool disowned;
    const struct faults *faults; /* NULL: none are planned */
    bool is_lost;                /* refuses every submission */
    uint64_t changes;            /* granted requests that changed anything; atomic */
    pthread_mutex_t lock;
    pthread_cond_t idle; /* a buffer may have become idle */
};

/* A word that a job writes when it has ended without a fault. */
struct fence {
    struct buffer_object *buffer; /* kept alive */
    uint64_t *at;                 /* in that */
    uint64_t value;
};

/* The memory that a job may touch. */
struct submission {
    struct node *node;
    uint32_t count, listed; /* buffers that it keeps alive; the first `listed` are busy until it
                               ends */
    struct buffer_object **buffers;
    struct fence *fences;
    uint32_t fence_count;
    struct vm *vm;    /* whose bindings it may access, or NULL (i915) */
    uint64_t changes; /* of `vm`, as far as the job knows them */
    struct cs_outcome outcome;
};

struct node_file {
    struct node *node;
    struct buffer_object **buffers; /* by handle - 1; NULL: free */
    uint32_t buffer_slots;
    struct gem_context **contexts; /* by id; 0 is the default context */
    uint32_t context_slots;
    struct vm **vms; /* by id - 1; NULL: free */
    uint32_t vm_slots;
    unsigned references; /* descriptors; atomic */
};

/* Returns NULL with one line in `error` if that fails. */
struct node *node_create(const struct vesim_device *device, const struct vesim_settings *settings,
                         char *error, size_t error_size);

/* Faults strike from now on by this plan, which must outlive the node. */
void node_plan_faults(struct node *node, const struct faults *faults);

/* Whether the device is gone, which refuses every submission. To be asked once for each: a planned
 * fault may strike. node->lock held. */
bool node_is_lost(struct node *node);

/* For a forked child, which shares the memory of its parent's node but has none of its threads:
 * every later request to the node fails with EIO. */
void node_disown(struct node *node);

/* Opens the node. Returns the file and sets `*fd` to a new descriptor, or NULL with errno set. */
struct node_file *node_open(struct node *node, int *fd);
/* Another descriptor of the file. */
void node_retain(struct node_file *file);
/* Drops a descriptor, which the caller closes; the last one takes all that belongs to the file with
 * it. */
void node_release(struct node_file *file);
/* Maps `size` bytes of the buffer at `offset` (both whole pages) over what is at `address`,
 * readable and writable; `protection` is what the program gets. The barrier page, whose stores go
 * nowhere, stays what it is there. Returns 0 or a negative errno. */
int node_map(struct node_file *file, uint64_t offset, size_t size, int protection, void *address);
/* Returns 0 or a negative errno. */
int node_ioctl(struct node_file *file, unsigned long request, void *argument);

/* Grows whenever a request changes anything, or a submission has been executed or went on. A
 * program for which it stays as it is does no more with its GPU than ask and wait. */
uint64_t node_progress(const struct node *node);

void node_log(const struct node *node, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fills `words` with the hardware table. It has the size of a bank of the L3, of which drivers take
 * `l3_banks` for the whole. Returns its bytes, or a negative errno. */
int hwconfig_table(const struct vesim_device *device, uint64_t l3_banks, uint32_t *words,
                   size_t capacity);

/* Copies between here and the program's memory. Return 0, or -EFAULT where nothing is mapped. */
int user_read(void *to, uint64_t address, size_t size);
int user_write(uint64_t address, const void *from, size_t size);
/* Whether the program could write all of it, without touching it. */
bool user_may_write(uint64_t address, uint64_t size);

/* memory.c. node->lock held for all but memory_init(). */
/* How many regions the device has. */
unsigned region_count(const struct vesim_device *device);
uint64_t region_bytes(const struct vesim_device *device, unsigned region);
int memory_init(struct memory *memory);
/* Returns NULL if the region is full. The caller has the one reference. */
struct buffer_object *buffer_create(struct node *node, uint64_t size, unsigned region);
/* One whose pages are a file's, which is closed with it, and at once if that fails. */
struct buffer_object *buffer_import(struct node *node, int fd, uint64_t size, unsigned region);
/* From now on its pages are a file's, which is closed with it. */
void buffer_share(struct node *node, struct buffer_object *buffer, int fd);
struct buffer_object *buffer_create_userptr(struct node *node, uint64_t pointer, uint64_t size);
void buffer_put(struct node *node, struct buffer_object *buffer);
/* Returns 0, or -EFAULT for memory that the program may not write. */
int buffer_check_userptr(struct buffer_object *buffer);
/* Maps part of a buffer that is not userptr once more, over what is at `address`. Returns 0 or a
 * negative errno. */
int buffer_map(const struct buffer_object *buffer, uint64_t offset, size_t size, void *address);

/* submission.c */
/* NULL: no memory. */
struct submission *submission_create(struct node *node);
/* Room for `count` buffers, once. Returns 0 or -ENOMEM. */
int submission_reserve(struct submission *submission, size_t count);
/* Lets go of all buffers, none of which may be listed. node->lock held. */
void submission_release_buffers(struct submission *submission);
/* Keeps a buffer alive until the job has ended. There must be room. node->lock held. */
void submission_keep(struct submission *submission, struct buffer_object *buffer);
/* `done` of a job that owns the submission: signals its fences, and frees it. Also for one that was
 * never submitted. */
void submission_done(void *owner);

/* vm.c: address spaces, and what is bound in them from one submission to the next. node->lock
 * held. */
/* The caller has the one reference. NULL: no memory. */
struct vm *vm_create(void);
void vm_put(struct node *node, struct vm *vm);
/* Gives the address space an id, which holds a reference of its own. Returns 0 or -ENOMEM. */
int vm_add(struct node_file *file, struct vm *vm, uint32_t *id);
/* The address space of an id, or NULL. */
struct vm *vm_find(const struct node_file *file, uint32_t id);
/* The requests that make one with an id, and take the id back. Return 0 or a negative errno. Take
 * the lock. */
int file_create_vm(struct node_file *file, bool holds_buffers, uint32_t *id);
int file_destroy_vm(struct node_file *file, uint32_t id);
/* A whole buffer at an address. */
struct binding binding_of(struct buffer_object *buffer, uint64_t address);
struct mapping binding_mapping(const struct binding *binding);
/* Room for `more` bindings. Returns 0 or -ENOMEM. */
int bindings_reserve(struct vm *vm, uint32_t more);
/* Binds a buffer, moving it if it is bound elsewhere. There must be room. */
void binding_set(struct vm *vm, struct buffer_object *buffer, uint64_t address);
/* Removes the buffer's bindings, as its handle is closed. */
void bindings_forget(struct node_file *file, const struct buffer_object *buffer);

/* Gives a new buffer a handle, which takes over its reference; NULL: the region was full. Returns 0
 * or -ENOMEM. node->lock held. */
int file_add_buffer(struct node_file *file, struct buffer_object *buffer, uint32_t *handle);
/* The buffer of a handle, or NULL. node->lock held. */
struct buffer_object *file_buffer(const struct node_file *file, uint32_t handle);
/* The context of an id, or NULL. node->lock held. */
struct gem_context *file_context(const struct node_file *file, uint32_t id);
/* The same, taken from the file, for gem_context_free(). node->lock held. */
struct gem_context *file_take_context(struct node_file *file, uint32_t id);
/* A slot's engine context, made when first used; NULL if there is none such. node->lock held. */
struct cs_context *gem_context_engine(struct node *node, struct gem_context *context,
                                      unsigned slot);
/* Changes its priority. Returns 0, or -EINVAL beyond the limits, or -EPERM above 0 where the
 * process may not. node->lock held. */
int gem_context_set_priority(struct gem_context *context, int64_t priority, int64_t highest);
/* Whether the process may raise priorities: it has CAP_SYS_NICE. */
bool user_may_raise_priority(void);
/* Copy engines that programs see of a stack. */
unsigned copy_engine_count(const struct vesim_device *device);
/* The engine of a class, whose numbers i915 and xe share. Returns 0, or -ENOENT if the device has
 * none. */
int engine_of_class(const struct vesim_device *device, unsigned engine_class,
                    enum cs_engine *engine);
/* Replaces the context's address space. node->lock held. */
void gem_context_use_vm(struct node *node, struct gem_context *context, struct vm *vm);
/* Waits for what runs; `cancel` drops the rest even of a persistent context. Call without the lock,
 * which ends of submissions take. */
void gem_context_free(struct gem_context *context, bool cancel);
int file_add_context(struct node_file *file, uint32_t *id);
/* Whether address spaces of the device can be in fault mode, below xe. */
bool xe_serves_faults(const struct vesim_device *device);
/* Whether the device has the engine, one of those that xe's query lists. */
struct xe_engine_instance;
bool xe_has_engine(const struct vesim_device *device, const struct xe_engine_instance *engine);
/* Where the program finds a buffer in the node's file. Returns 0 or a negative errno. Takes the
 * lock. */
int file_mmap_offset(struct node_file *file, uint32_t handle, uint64_t *offset, uint64_t *size);

/* ioctls; each returns 0 or a negative errno and takes the lock itself. The argument is a copy,
 * IOCTL_ARGUMENT_MAX bytes long and zero where the program's version of the structure ends. */
#define IOCTL_ARGUMENT_MAX 256
int ioctl_version(struct node_file *file, void *argument);
int ioctl_getparam(struct node_file *file, void *argument);
int ioctl_query(struct node_file *file, void *argument);
int ioctl_reg_read(struct node_file *file, void *argument);
int ioctl_gem_create(struct node_file *file, void *argument);
int ioctl_gem_create_ext(struct node_file *file, void *argument);
int ioctl_gem_userptr(struct node_file *file, void *argument);
int ioctl_gem_close(struct node_file *file, void *argument);
int ioctl_prime_export(struct node_file *file, void *argument);
int ioctl_prime_import(struct node_file *file, void *argument);
int ioctl_gem_mmap(struct node_file *file, void *argument);
int ioctl_gem_mmap_offset(struct node_file *file, void *argument);
int ioctl_gem_set_domain(struct node_file *file, void *argument);
int ioctl_gem_set_tiling(struct node_file *file, void *argument);
int ioctl_gem_get_tiling(struct node_file *file, void *argument);
int ioctl_gem_madvise(struct node_file *file, void *argument);
int ioctl_gem_wait(struct node_file *file, void *argument);
int ioctl_gem_busy(struct node_file *file, void *argument);
int ioctl_gem_execbuffer2(struct node_file *file, void *argument);
int ioctl_context_create(struct node_file *file, void *argument);
int ioctl_context_destroy(struct node_file *file, void *argument);
int ioctl_context_getparam(struct node_file *file, void *argument);
int ioctl_context_setparam(struct node_file *file, void *argument);
int ioctl_reset_stats(struct node_file *file, void *argument);
int ioctl_vm_create(struct node_file *file, void *argument);
int ioctl_vm_destroy(struct node_file *file, void *argument);
int ioctl_xe_query(struct node_file *file, void *argument);
int ioctl_xe_gem_create(struct node_file *file, void *argument);
int ioctl_xe_mmap_offset(struct node_file *file, void *argument);
int ioctl_xe_vm_create(struct node_file *file, void *argument);
int ioctl_xe_vm_destroy(struct node_file *file, void *argument);
int ioctl_xe_vm_bind(struct node_file *file, void *argument);
int ioctl_xe_madvise(struct node_file *file, void *argument);
int ioctl_xe_queue_create(struct node_file *file, void *argument);
int ioctl_xe_queue_destroy(struct node_file *file, void *argument);
int ioctl_xe_queue_property(struct node_file *file, void *argument);
int ioctl_xe_exec(struct node_file *file, void *argument);
int ioctl_xe_wait_fence(struct node_file *file, void *argument);

#endif
