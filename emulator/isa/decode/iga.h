/* Intel's assembler library, libiga64: the part of its C interface that decoding needs. Debian
 * packages the library without a header, so the declarations are ours, after the interface
 * "KernelView" of intel-graphics-compiler 1.0.12504 (visa/iga/IGALibrary/api). The library is
 * opened at the first use. */
#ifndef VESIM_IGA_H
#define VESIM_IGA_H

#include <stddef.h>
#include <stdint.h>

/* Platforms, as the library numbers them: major << 24 | minor. */
enum iga_platform {
    IGA_XE = 1 << 24,
    IGA_XE_HPG = (1 << 24) | 2,
    IGA_XE_HPC = (1 << 24) | 4,
    IGA_XE2 = 2 << 24,
    IGA_XE3 = 3 << 24,
    IGA_XE3P = (3 << 24) | 3,
};

/* How software-scoreboard bits are encoded: one in-order pipe (Gen12LP), three (Xe-HPG), or these
 * and that of extended math (Xe-HPC, Xe2). */
enum iga_scoreboard_mode {
    IGA_SWSB_SINGLE_PIPE = 1,
    IGA_SWSB_THREE_PIPES = 2,
    IGA_SWSB_FOUR_PIPES = 6,
};

enum iga_register_name {
    IGA_ARF_NULL = 1,
    IGA_ARF_A,
    IGA_ARF_ACC,
    IGA_ARF_MME,
    IGA_ARF_F,
    IGA_ARF_CE,
    IGA_ARF_MSG,
    IGA_ARF_SP,
    IGA_ARF_SR,
    IGA_ARF_CR,
    IGA_ARF_N,
    IGA_ARF_IP,
    IGA_ARF_TDR,
    IGA_ARF_TM,
    IGA_ARF_FC,
    IGA_ARF_DBG,
    IGA_GRF_R,
    IGA_ARF_S, /* scalars, of libraries that know Xe3 */
};

enum iga_type {
    IGA_TYPE_INVALID,
    IGA_U1,
    IGA_U2,
    IGA_U4,
    IGA_S2,
    IGA_S4,
    IGA_UB,
    IGA_B,
    IGA_UW,
    IGA_W,
    IGA_UD,
    IGA_D,
    IGA_UQ,
    IGA_Q,
    IGA_HF,
    IGA_QF,
    IGA_BF,
    IGA_HF8,
    IGA_BF8,
    IGA_TF32,
    IGA_F,
    IGA_DF,
    IGA_NF,
    IGA_V,
    IGA_UV,
    IGA_VF,
};

enum iga_kind {
    IGA_KIND_INVALID,
    IGA_DIRECT,
    IGA_MACRO,
    IGA_INDIRECT,
    IGA_IMMEDIATE,
    IGA_LABEL,
};

enum iga_region {
    IGA_VERTICAL_VXH = 31,
    IGA_VERTICAL_NONE = 63,
    IGA_WIDTH_NONE = 31,
    IGA_HORIZONTAL_NONE = 15
};

enum iga_option {
    IGA_OPTION_ACCWREN = 0,
    IGA_OPTION_ATOMIC = 1,
    IGA_OPTION_EOT = 4,
    IGA_OPTION_EXBSO = 12
};

enum iga_predicate {
    IGA_PREDICATE_NONE,
    IGA_PREDICATE_SEQUENTIAL,
    IGA_PREDICATE_ANYV,
    IGA_PREDICATE_ALLV,
    IGA_PREDICATE_ANY2H, /* then ALL2H, ANY4H, ALL4H, … ANY32H, ALL32H */
    IGA_PREDICATE_ALL32H = IGA_PREDICATE_ANY2H + 9,
    IGA_PREDICATE_ANY,
    IGA_PREDICATE_ALL,
};

enum iga_distance {
    IGA_NO_DISTANCE,
    IGA_DISTANCE,
    IGA_DISTANCE_ALL,
    IGA_DISTANCE_FLOAT,
    IGA_DISTANCE_INT,
    IGA_DISTANCE_LONG,
    IGA_DISTANCE_MATH,
};

struct iga_scoreboard {
    int32_t distance_type; /* enum iga_distance */
    int32_t token_type;    /* 0 none, 1 set, 2 source, 3 destination */
    uint32_t distance;
    uint32_t token;
    int32_t special;
};

typedef struct kernel_view kernel_view;
typedef const struct opspec *iga_opspec;

#define IGA_FUNCTIONS(X)                                                                           \
    X(kernel_view *, kv_create,                                                                    \
      (int32_t platform, const void *bytes, size_t size, int32_t *status, char *error,             \
       size_t error_size, uint32_t mode))                                                          \
    X(void, kv_delete, (kernel_view *))                                                            \
    X(int32_t, kv_get_inst_size, (const kernel_view *, int32_t pc))                                \
    X(_Bool, kv_has_inst_opt, (const kernel_view *, int32_t pc, uint32_t option))                  \
    X(uint32_t, kv_get_inst_targets, (const kernel_view *, int32_t pc, int32_t *targets))          \
    X(size_t, kv_get_inst_syntax,                                                                  \
      (const kernel_view *, int32_t pc, char *text, size_t size, uint32_t options,                 \
       const char *(*label)(int32_t, void *), void *environment))                                  \
    X(uint32_t, kv_get_opcode, (const kernel_view *, int32_t pc))                                  \
    X(int32_t, kv_get_subfunction, (const kernel_view *, int32_t pc, uint32_t *function))          \
    X(uint32_t, kv_get_execution_size, (const kernel_view *, int32_t pc))                          \
    X(uint32_t, kv_get_channel_offset, (const kernel_view *, int32_t pc))                          \
    X(uint32_t, kv_get_mask_control, (const kernel_view *, int32_t pc))                            \
    X(_Bool, kv_get_swsb_info,                                                                     \
      (const kernel_view *, int32_t pc, uint32_t mode, struct iga_scoreboard *info))               \
    X(int32_t, kv_get_number_sources, (const kernel_view *, int32_t pc))                           \
    X(int32_t, kv_get_has_destination, (const kernel_view *, int32_t pc))                          \
    X(int32_t, kv_get_destination_register, (const kernel_view *, int32_t pc))                     \
    X(int32_t, kv_get_destination_sub_register, (const kernel_view *, int32_t pc))                 \
    X(uint32_t, kv_get_destination_data_type, (const kernel_view *, int32_t pc))                   \
    X(uint32_t, kv_get_destination_register_type, (const kernel_view *, int32_t pc))               \
    X(uint32_t, kv_get_destination_register_kind, (const kernel_view *, int32_t pc))               \
    X(int32_t, kv_get_destination_region, (const kernel_view *, int32_t pc, uint32_t *stride))     \
    X(int32_t, kv_get_destination_indirect_imm_off,                                                \
      (const kernel_view *, int32_t pc, int16_t *offset))                                          \
    X(uint32_t, kv_get_destination_modifier, (const kernel_view *, int32_t pc))                    \
    X(int32_t, kv_get_source_register, (const kernel_view *, int32_t pc, uint32_t source))         \
    X(int32_t, kv_get_source_sub_register, (const kernel_view *, int32_t pc, uint32_t source))     \
    X(uint32_t, kv_get_source_data_type, (const kernel_view *, int32_t pc, uint32_t source))       \
    X(uint32_t, kv_get_source_register_type, (const kernel_view *, int32_t pc, uint32_t source))   \
    X(uint32_t, kv_get_source_register_kind, (const kernel_view *, int32_t pc, uint32_t source))   \
    X(int32_t, kv_get_source_region,                                                               \
      (const kernel_view *, int32_t pc, uint32_t source, uint32_t *vertical, uint32_t *width,      \
       uint32_t *horizontal))                                                                      \
    X(int32_t, kv_get_source_immediate,                                                            \
      (const kernel_view *, int32_t pc, uint32_t source, uint64_t *value))                         \
    X(int32_t, kv_get_source_mme_number,                                                           \
      (const kernel_view *, int32_t pc, uint32_t source, int16_t *number))                         \
    X(int32_t, kv_get_destination_mme_number, (const kernel_view *, int32_t pc, int16_t *number))  \
    X(int32_t, kv_get_source_indirect_imm_off,                                                     \
      (const kernel_view *, int32_t pc, uint32_t source, int16_t *offset))                         \
    X(uint32_t, kv_get_source_modifier, (const kernel_view *, int32_t pc, uint32_t source))        \
    X(uint32_t, kv_get_flag_modifier, (const kernel_view *, int32_t pc))                           \
    X(int32_t, kv_get_flag_register, (const kernel_view *, int32_t pc))                            \
    X(int32_t, kv_get_flag_sub_register, (const kernel_view *, int32_t pc))                        \
    X(uint32_t, kv_get_predicate, (const kernel_view *, int32_t pc))                               \
    X(uint32_t, kv_get_is_inverse_predicate, (const kernel_view *, int32_t pc))                    \
    X(uint32_t, kv_get_send_descs,                                                                 \
      (const kernel_view *, int32_t pc, uint32_t *extended, uint32_t *descriptor))                 \
    X(void, kv_get_send_indirect_descs,                                                            \
      (const kernel_view *, int32_t pc, uint8_t *extended_register, uint8_t *extended_subregister, \
       uint8_t *descriptor_register, uint8_t *descriptor_subregister))                             \
    X(uint32_t, kv_get_message_len,                                                                \
      (const kernel_view *, int32_t pc, uint32_t *payload0, uint32_t *payload1,                    \
       uint32_t *response))                                                                        \
    X(int32_t, iga_opspec_from_op, (int32_t platform, uint32_t op, iga_opspec * spec))             \
    X(int32_t, iga_opspec_mnemonic, (iga_opspec spec, char *mnemonic, size_t *size))

/* Only in libraries that know Xe2; NULL in others. The last three are in those that know Xe3P. */
#define IGA_FUNCTIONS_XE2(X)                                                                       \
    X(int32_t, kv_get_send_exdesc_immoff, (const kernel_view *, int32_t pc, uint32_t *bits))       \
    X(int32_t, kv_get_sendg_desc, (const kernel_view *, int32_t pc, uint64_t *descriptor))         \
    X(int32_t, kv_get_sendg_ind_desc0,                                                             \
      (const kernel_view *, int32_t pc, uint32_t *present, uint32_t *byte))                        \
    X(int32_t, kv_get_sendg_ind_desc1,                                                             \
      (const kernel_view *, int32_t pc, uint32_t *present, uint32_t *byte))

struct iga {
#define X(result, name, parameters) result(*name) parameters;
    IGA_FUNCTIONS(X)
    IGA_FUNCTIONS_XE2(X)
#undef X
};

/* The library's functions. NULL, with a line in `error` (NULL, 0: none), if it cannot be opened. */
const struct iga *iga_open(char *error, size_t error_size);

#endif
