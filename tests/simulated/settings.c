#include "settings.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
    double value;
} numbers[] = {
#define NUMBER(name, value) {#name, offsetof(struct settings, name), value},
    SIMULATED_NUMBERS(NUMBER)
#undef NUMBER
};

static const struct {
    const char *name;
    size_t offset;
} texts[] = {
#define TEXT(name) {#name, offsetof(struct settings, name)},
    SIMULATED_TEXTS(TEXT)
#undef TEXT
};

static int set(struct settings *settings, const char *name, const char *value)
{
    char *end;

    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (!strcmp(name, numbers[i].name)) {
            double number = strtod(value, &end);

            memcpy((char *)settings + numbers[i].offset, &number, sizeof(number));
            return end > value && !*end;
        }
    }
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (!strcmp(name, texts[i].name)) {
            snprintf((char *)settings + texts[i].offset, sizeof(settings->log), "%s", value);
            return 1;
        }
    }
    return 0;
}

void settings_read(struct settings *settings, const char *text)
{
    char copy[1000], *rest = copy;

    memset(settings, 0, sizeof(*settings));
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        memcpy((char *)settings + numbers[i].offset, &numbers[i].value, sizeof(double));
    snprintf(copy, sizeof(copy), "%s", text ? text : "");
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *equals = strchr(word, '=');

        if (equals)
            *equals = '\0';
        if (!equals || !set(settings, word, equals + 1)) {
            fprintf(stderr, "SIMULATED_GPU: %s is no setting\n", word);
            exit(EXIT_FAILURE);
        }
    }
}
