/*
 * One pattern of memory-patterns.h: its three kernels. PATTERN is its name, N the elements of one
 * access, INDEX(at, limit, k) where the k-th of a turn lies in a buffer of `limit` elements; READ
 * and WRITE access memory, PREPARE comes before the loop. HAS_LOAD and HAS_COPY are 0 where the
 * compiler would spill registers to memory.
 */

#if N == 1
#define VALUE ELEMENT
#define EACH  EACH_1
#define WORDS WORDS_1
#elif N == 2
#define VALUE VECTOR(2)
#define EACH  EACH_2
#define WORDS WORDS_2
#elif N == 4
#define VALUE VECTOR(4)
#define EACH  EACH_4
#define WORDS WORDS_4
#elif N == 8
#define VALUE VECTOR(8)
#define EACH  EACH_8
#define WORDS WORDS_8
#else
#define VALUE VECTOR(16)
#define EACH  EACH_16
#define WORDS WORDS_16
#endif

#define LOAD(k)     VALUE value##k = READ(src, INDEX(at, span, k))
#define SUM(k)      sum += WORDS(value##k)
#define STORE(k)    WRITE(dst, INDEX(at, span, k), (VALUE)(value))
#define COPY_OUT(k) WRITE(dst, INDEX(to, dst_span, k), value##k)

#if HAS_LOAD
KERNEL JOIN(NAME(_load_), PATTERN)(PARAMETERS)
{
    FRAME;
    uint sum = 0;

    PREPARE;
    for (uint turn = 0; turn < turns; turn++) {
        EACH(LOAD);
        EACH(SUM);
        at = wrapped(at + total, span);
    }
    sums[item] = sum;
}
#endif

KERNEL JOIN(NAME(_store_), PATTERN)(PARAMETERS)
{
    FRAME;
    ELEMENT value = (ELEMENT)item;

    PREPARE;
    for (uint turn = 0; turn < turns; turn++) {
        EACH(STORE);
        value++;
        at = wrapped(at + total, span);
    }
    sums[item] = turns;
}

#if HAS_COPY
KERNEL JOIN(NAME(_copy_), PATTERN)(PARAMETERS)
{
    FRAME;

    PREPARE;
    for (uint turn = 0; turn < turns; turn++) {
        EACH(LOAD);
        EACH(COPY_OUT);
        at = wrapped(at + total, span);
        to = wrapped(to + total, dst_span);
    }
    sums[item] = turns;
}
#endif

#undef VALUE
#undef EACH
#undef WORDS
#undef LOAD
#undef SUM
#undef STORE
#undef COPY_OUT
#undef PATTERN
#undef N
#undef INDEX
