/* The rows of applications.def and the page that is made of them, docs/applications.md. */
#ifndef TESTS_ACCURACY_APPLICATIONS_H
#define TESTS_ACCURACY_APPLICATIONS_H

#include <stddef.h>
#include <stdio.h>

#include "host-jobs.h"

enum relation { TAKEN, SIBLING, FREE };
enum driver { DEBIAN_12, CURRENT };

struct application {
    const char *job, *device, *model, *changes;
    unsigned lanes, size;
    double published;
    const char *source;
    enum relation relation;
    enum driver driver;
    const char *why;
    double modelled; /* NAN if it is not known */
};

/* Percent. */
double application_deviation(const struct application *row);

/* A row of the page up to the value of the model. */
void application_line(char *line, size_t bytes, const struct application *row);

void applications_page(FILE *out, const struct application *rows, size_t count);

#endif
