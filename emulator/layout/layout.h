/* Layouts of commands and of state in memory: which bits of which dword mean what. The tables are
 * commands.def and walkers.def; from each of their structures X come
 *
 *     struct X                                       its fields, as numbers
 *     enum { X_dwords }                              how long it is
 *     struct X X_unpack(const uint32_t *d)           from the X_dwords at `d`
 *     void X_pack(uint32_t *d, const struct X *v)    to them; bits of no field stay
 *
 * A table consists of
 *
 *     STRUCTURE(structure, dwords, "source")         opens one
 *     LAYOUT(layout, structure, dwords, "source")    the same structure laid out in another way,
 * for layout_unpack() and layout_pack() BITS(dword, high, low, name, "source's name")  a number, up
 * to 32 bits of one dword OFFSET(dword, high, low, name, "...")          bytes: the bits stay where
 * they are in the dword QWORD(dword, high, low, name, "...")           an address or 64 bits of
 * data, likewise, in the qword that begins with the dword DWORDS(dword, count, name, "...") an
 * array PART(dword, structure, name)                   another structure END()
 *
 * with the numbering of Intel's manuals: bit 0 is the lowest, and a field is its highest and lowest
 * bit. Values that are too wide are cut off as they are packed. */
#ifndef VESIM_LAYOUT_H
#define VESIM_LAYOUT_H

#include <stdint.h>
#include <string.h>

static inline uint64_t layout_mask(unsigned high, unsigned low)
{
    return UINT64_MAX >> (63 - high) & UINT64_MAX << low;
}

static inline uint64_t layout_qword(const uint32_t *d)
{
    return d[0] | (uint64_t)d[1] << 32;
}

static inline void layout_set(uint32_t *dword, uint32_t mask, uint32_t value)
{
    *dword = (*dword & ~mask) | (value & mask);
}

static inline void layout_set_qword(uint32_t *d, uint64_t mask, uint64_t value)
{
    layout_set(&d[0], (uint32_t)mask, (uint32_t)value);
    layout_set(&d[1], (uint32_t)(mask >> 32), (uint32_t)(value >> 32));
}

/* The structures. A second layout makes one that nobody uses, and that shows it to be complete. */
#define LAYOUT(layout, structure, dwords, source)                                                  \
    enum { layout##_dwords = dwords };                                                             \
    struct layout {
#define BITS(dword, high, low, name, source)   uint32_t name;
#define OFFSET(dword, high, low, name, source) uint32_t name;
#define QWORD(dword, high, low, name, source)  uint64_t name;
#define DWORDS(dword, count, name, source)     uint32_t name[count];
#define PART(dword, structure, name)           struct structure name;
#define END()                                                                                      \
    }                                                                                              \
    ;
#include "layout/structures.def"

#define LAYOUT(layout, structure, dwords, source)                                                  \
    _Static_assert(sizeof(struct layout) == sizeof(struct structure), "the same fields");          \
    static inline struct structure layout##_unpack(const uint32_t *d)                              \
    {                                                                                              \
        struct structure v;
#define BITS(dword, high, low, name, source)                                                       \
    v.name = (uint32_t)((d[dword] & layout_mask(high, low)) >> low);
#define OFFSET(dword, high, low, name, source) v.name = d[dword] & (uint32_t)layout_mask(high, low);
#define QWORD(dword, high, low, name, source)                                                      \
    v.name = layout_qword(d + dword) & layout_mask(high, low);
#define DWORDS(dword, count, name, source) memcpy(v.name, d + dword, sizeof(v.name));
#define PART(dword, structure, name)       v.name = structure##_unpack(d + dword);
#define END()                                                                                      \
    return v;                                                                                      \
    }
#include "layout/structures.def"

#define LAYOUT(layout, structure, dwords, source)                                                  \
    static inline void layout##_pack(uint32_t *d, const struct structure *v)                       \
    {
#define BITS(dword, high, low, name, source)                                                       \
    layout_set(&d[dword], (uint32_t)layout_mask(high, low), v->name << low);
#define OFFSET(dword, high, low, name, source)                                                     \
    layout_set(&d[dword], (uint32_t)layout_mask(high, low), v->name);
#define QWORD(dword, high, low, name, source)                                                      \
    layout_set_qword(d + dword, layout_mask(high, low), v->name);
#define DWORDS(dword, count, name, source) memcpy(d + dword, v->name, sizeof(v->name));
#define PART(dword, structure, name)       structure##_pack(d + dword, &v->name);
#define END()                              }
#include "layout/structures.def"

#endif
