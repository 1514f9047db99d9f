/* Command opcodes (PRM Vol 2a; the same in compute-runtime's generated command layouts). */
#ifndef VESIM_COMMANDS_H
#define VESIM_COMMANDS_H

#define COMMAND_TYPE_MI                 0
#define COMMAND_TYPE_BLITTER            2
#define COMMAND_TYPE_GFXPIPE            3
#define COMMAND_TYPE_GFX_EXEC           5 /* RESOURCE_BARRIER alone */

#define MI_NOOP                         0x00
#define MI_SET_PREDICATE                0x01
#define MI_USER_INTERRUPT               0x02
#define MI_ARB_CHECK                    0x05
#define MI_ARB_ON_OFF                   0x08
#define MI_MEM_FENCE                    0x09 /* Xe2 */
#define MI_BATCH_BUFFER_END             0x0a
#define MI_PREDICATE                    0x0c
#define MI_MATH                         0x1a
#define MI_SEMAPHORE_WAIT               0x1c
#define MI_STORE_DATA_IMM               0x20
#define MI_LOAD_REGISTER_IMM            0x22
#define MI_STORE_REGISTER_MEM           0x24
#define MI_FLUSH_DW                     0x26
#define MI_LOAD_REGISTER_MEM            0x29
#define MI_LOAD_REGISTER_REG            0x2a
#define MI_COPY_MEM_MEM                 0x2e
#define MI_ATOMIC                       0x2f
#define MI_BATCH_BUFFER_START           0x31
#define MI_CONDITIONAL_BATCH_BUFFER_END 0x36
#define MI_SEMAPHORE_WAIT_64            0x3b /* Xe3P */

/* Type, pipeline, opcode and sub-opcode. COMPUTE_WALKER and CFE_STATE have a variant in bits
 * 17:16, which is 0. */
#define STATE_PREFETCH                  0x6003 /* Xe2 */
#define STATE_BASE_ADDRESS              0x6101
#define STATE_SIP                       0x6102
#define GPGPU_CSR_BASE_ADDRESS          0x6104
#define STATE_COMPUTE_MODE              0x6105
#define STATE_BTD_XE3P                  0x6106
#define STATE_SYSTEM_MEM_FENCE_ADDRESS  0x6109 /* Xe2 */
#define STATE_CONTEXT_DATA_BASE_ADDRESS 0x610b /* Xe2 */
#define PIPELINE_SELECT                 0x6904
#define MEDIA_VFE_STATE                 0x7000
#define MEDIA_INTERFACE_DESCRIPTOR_LOAD 0x7002
#define MEDIA_STATE_FLUSH               0x7004
#define GPGPU_WALKER                    0x7105
#define CFE_STATE                       0x7200
#define COMPUTE_WALKER                  0x7208
#define COMPUTE_WALKER_2                0x7220 /* Xe3P */
#define STATE_BTD                       0x7906
#define BINDING_TABLE_POOL_ALLOC        0x7919
#define PIPE_CONTROL                    0x7a00
/* L3_CONTROL has flags in bits 22:16, so it is told by bits 31:23 alone. */
#define IS_L3_CONTROL(header) (((header)&0xff800000u) == 0x7d800000u)

#define XY_BLOCK_COPY_BLT     0x41
#define XY_FAST_COLOR_BLT     0x44
#define MEM_COPY              0x5a /* Xe2 */
#define MEM_SET               0x5b /* Xe2 */

/* Post-sync operations of PIPE_CONTROL, MI_FLUSH_DW and COMPUTE_WALKER. */
enum post_sync_operation {
    POST_SYNC_NONE = 0,
    POST_SYNC_IMMEDIATE = 1,
    POST_SYNC_DEPTH_COUNT = 2, /* PIPE_CONTROL alone */
    POST_SYNC_ATOMIC = 2,      /* COMPUTE_WALKER_2 alone */
    POST_SYNC_TIMESTAMP = 3,   /* of a walker, of its start and its end */
};

#endif
