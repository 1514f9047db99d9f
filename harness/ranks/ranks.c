#include "ranks/ranks.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* False at anything but a number, or if it is larger than `most`. */
static bool next_number(char **text, unsigned most, unsigned *number)
{
    char *end;
    unsigned long value = strtoul(*text, &end, 10);

    if (end == *text || value > most)
        return false;
    *number = (unsigned)value;
    *text = end;
    return true;
}

bool ranks_read(struct ranks *ranks, char *text)
{
    unsigned stream;

    memset(ranks, 0, sizeof(*ranks));
    if (!next_number(&text, INT_MAX, &ranks->rank) || !next_number(&text, INT_MAX, &ranks->count) ||
        !next_number(&text, INT_MAX, &ranks->local_rank) ||
        !next_number(&text, INT_MAX, &ranks->local_count) ||
        !next_number(&text, INT_MAX, &ranks->leader) || !next_number(&text, INT_MAX, &stream) ||
        *text || ranks->rank >= ranks->count || ranks->local_rank >= ranks->local_count ||
        ranks->local_count > ranks->count)
        return false;
    ranks->stream = (int)stream;
    return fcntl(ranks->stream, F_SETFD, FD_CLOEXEC) == 0;
}

bool ranks_writes(const struct ranks *ranks)
{
    return ranks->is_one_file ? ranks->rank == 0 : ranks->local_rank == 0;
}

bool ranks_say(struct ranks *ranks, enum wire_kind kind, struct text head, struct text data)
{
    return wire_send_parts(ranks->stream, kind, head.at, head.bytes, data.at, data.bytes);
}

static enum status member_is_gone(struct error *error)
{
    return error_set(error, STATUS_LOST, "vebench-mpi is gone; --resume continues the run");
}

enum status ranks_hear(struct ranks *ranks, enum wire_kind kind, struct text *answer,
                       struct error *error)
{
    struct wire_message message;

    for (;;) {
        while (wire_next(&ranks->in, &message)) {
            if (message.kind != kind)
                continue;
            *answer = (struct text){message.data, message.bytes};
            return STATUS_OK;
        }
        if (!wire_fill(&ranks->in, ranks->stream, true))
            return member_is_gone(error);
    }
}

enum status ranks_agree(struct ranks *ranks, struct agreement *agreement, struct error *error)
{
    const struct wire_agree says = {*error, agreement->is_last, ranks->is_one_file, agreement->key,
                                    agreement->is_of_node};
    struct text told;
    struct wire_agreed agreed;

    ranks->is_refused = true;
    if (!ranks_say(ranks, WIRE_AGREE, (struct text){(const char *)&says, sizeof(says)},
                   agreement->tells))
        return member_is_gone(error);
    if (ranks_hear(ranks, WIRE_AGREE, &told, error) != STATUS_OK)
        return error->status;
    if (told.bytes < sizeof(agreed))
        return member_is_gone(error);
    memcpy(&agreed, told.at, sizeof(agreed));
    *error = agreed.error;
    agreement->twin = agreed.twin;
    agreement->told = (struct text){told.at + sizeof(agreed), told.bytes - sizeof(agreed)};
    ranks->is_refused = error->status != STATUS_OK;
    ranks->has_begun = !ranks->is_refused && agreement->is_last;
    return error->status;
}

void ranks_refuse(struct ranks *ranks, struct error *error)
{
    struct agreement none = {.is_last = true};

    if (!ranks->has_begun && !ranks->is_refused)
        ranks_agree(ranks, &none, error);
}

enum status ranks_files(struct ranks *ranks, enum wire_kind kind,
                        const struct files_request *request, const char *const texts[FILES_TEXTS],
                        struct error *error)
{
    size_t bytes = 0;
    struct text answer;

    for (size_t i = 0; i < FILES_TEXTS; i++)
        bytes += strlen(texts[i] ? texts[i] : "") + 1;
    char *all = malloc(bytes), *at = all;
    if (!all)
        return error_out_of_memory(error);
    for (size_t i = 0; i < FILES_TEXTS; i++)
        at = stpcpy(at, texts[i] ? texts[i] : "") + 1;
    bool said = ranks_say(ranks, kind, (struct text){(const char *)request, sizeof(*request)},
                          (struct text){all, bytes});
    free(all);
    if (!said)
        return member_is_gone(error);
    if (ranks_hear(ranks, kind, &answer, error) != STATUS_OK)
        return error->status;
    if (answer.bytes != sizeof(*error))
        return member_is_gone(error);
    memcpy(error, answer.at, sizeof(*error));
    return error->status;
}
