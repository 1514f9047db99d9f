/* A thread of the process that compiles while others interpret. It lives as long as it has clients,
 * from the first task on. */
#ifndef VESIM_BACKGROUND_H
#define VESIM_BACKGROUND_H

/* Something to do, and freed by who does it. */
struct background_task {
    struct background_task *next;
    const void *client;
    void (*work)(struct background_task *task); /* with LLVM; frees the task */
    void (*drop)(struct background_task *task); /* frees it without having done it */
};

/* A client comes, and goes: its tasks that wait are dropped, and one that runs is waited for. The
 * last one to go ends the thread. */
void background_open(void);
void background_close(const void *client);

/* Takes the task over. Returns 0, or -1 if there is no thread; then the caller keeps it. */
int background_add(struct background_task *task);

/* Returns when no task waits or runs. */
void background_wait(void);

#endif
