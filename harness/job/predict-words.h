/* A launch of a job in the words of `vebench predict`, for the results: what was measured can then
 * be predicted, too. */
#ifndef VEBENCH_JOB_PREDICT_WORDS_H
#define VEBENCH_JOB_PREDICT_WORDS_H

#include "family/family.h"

/* "--global 1024,1,1 --local 64,1,1 --arg 0=4096 --buffer 0=float:1 --arg 1=0x400"; "" for what
 * predict cannot say: several launches, images, structures by value of more than 8 bytes, caches
 * that are not warm, and what does not fit. */
void job_predict_words(const struct launch *launch, char *text, size_t bytes);

#endif
