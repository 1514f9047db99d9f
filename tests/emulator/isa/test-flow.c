/* Control flow: each form of branch and call with lanes that diverge. Distances in registers count
 * from the branch; every instruction that they skip is 16 bytes long. */
#include "instructions.h"

/* brd backward: a loop that each lane leaves in its own time. */
static void test_branch_diverging(void **state)
{
    (void)state;
    if (is_from(VESIM_XE3))
        skip(); /* has neither brd nor brc */
    const char *loop = "mov (8|M0) r20.0<1>:d 10:w {@1}\n"
                       "mov (8|M0) r14.0<1>:d 0:w {@1}\n"
                       "%s\n"
                       "LOOP:\n"
                       "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {NoCompact,@1}\n"
                       "add (8|M0) r14.0<1>:d r14.0<8;8,1>:d 1:w {NoCompact,@1}\n"
                       "cmp (8|M0) (lt)f0.0 null<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d "
                       "{NoCompact,@1}\n"
                       "(f0.0) brd (8|M0) %s\n"
                       "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:w {@1}";
    const uint32_t expected[8] = {111, 111, 112, 113, 114, 115, 116, 117};
    run_format(loop, "", "LOOP");
    expect(expected);
    run_format(loop, "(W) mov (1|M0) r15.0<1>:d -48:w {@1}", "r15.0");
    expect(expected);
    /* no lane branches */
    run("mov (8|M0) r20.0<1>:d 1:w {@1}\n"
        "(W) mov (1|M0) f0.0<1>:uw 0:uw {@1}\n"
        "(f0.0) brd (8|M0) TARGET\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 5:w {@1}\n"
        "TARGET:\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}");
    expect((uint32_t[]){7, 7, 7, 7, 7, 7, 7, 7});
}

/* brc: those that branch wait at the join, whether or not all do. */
static void test_branch_converging(void **state)
{
    (void)state;
    if (is_from(VESIM_XE3))
        skip(); /* has neither brd nor brc */
    const char *text = "mov (8|M0) r20.0<1>:d 1:w {@1}\n"
                       "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d %d:w {@1}\n"
                       "(f0.0) brc (8|M0) JOIN JOIN\n"
                       "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 5:w {@1}\n"
                       "(W) add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 20:w {@1}\n"
                       "JOIN:\n"
                       "join (8|M0) REST\n"
                       "REST:\n"
                       "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}";
    run_format(text, 3);
    expect((uint32_t[]){22, 22, 22, 27, 27, 27, 27, 27});
    run_format(text, 8); /* all of them branch: what is in between is skipped */
    expect((uint32_t[]){2, 2, 2, 2, 2, 2, 2, 2});
}

/* Loops within loops; inner lanes break, continue and leave altogether. */
static void test_nested_loops(void **state)
{
    (void)state;
    run("mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "mov (8|M0) r14.0<1>:d 0:w {@1}\n" /* r14: outer, r15: inner */
        "OUTER:\n"
        "mov (8|M0) r15.0<1>:d 0:w {@1}\n"
        "INNER:\n"
        "cmp (8|M0) (ge)f0.0 null<1>:d r15.0<8;8,1>:d r10.0<8;8,1>:d {@1}\n"
        "(f0.0) break (8|M0) INNER_END INNER_END\n"
        "add (8|M0) r15.0<1>:d r15.0<8;8,1>:d 1:w {@1}\n"
        "cmp (8|M0) (eq)f0.0 null<1>:d r15.0<8;8,1>:d 2:w {@1}\n"
        "(f0.0) cont (8|M0) INNER_END INNER_END\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}\n"
        "INNER_END:\n"
        "while (8|M0) INNER\n"
        "add (8|M0) r14.0<1>:d r14.0<8;8,1>:d 1:w {@1}\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r14.0<8;8,1>:d 3:w {@1}\n"
        "(f0.0) while (8|M0) OUTER\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:w {@1}");
    expect((uint32_t[]){100, 103, 103, 106, 109, 112, 115, 118});
}

/* Loops run for a given trip count each time they are entered: the inner one is r15, which no lane
 * would leave before 1000. */
static void test_given_trips(void **state)
{
    const char *loops = "mov (8|M0) r20.0<1>:d 0:w {@1}\n"
                        "mov (8|M0) r14.0<1>:d 0:w {@1}\n"
                        "OUTER:\n"
                        "mov (8|M0) r15.0<1>:d 0:w {@1}\n"
                        "INNER:\n"
                        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}\n"
                        "add (8|M0) r15.0<1>:d r15.0<8;8,1>:d 1:w {@1}\n"
                        "cmp (8|M0) (lt)f0.0 null<1>:d r15.0<8;8,1>:d 1000:w {@1}\n"
                        "(f0.0) %s (8|M0) INNER\n"
                        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:w {@1}\n"
                        "add (8|M0) r14.0<1>:d r14.0<8;8,1>:d 1:w {@1}\n"
                        "cmp (8|M0) (lt)f0.0 null<1>:d r14.0<8;8,1>:d %d:w {@1}\n"
                        "(f0.0) while (8|M0) OUTER\n"
                        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d r10.0<8;8,1>:d {@1}";
    static const unsigned inner[] = {4}, both[] = {4, 3}, outer[] = {0, 2};

    (void)state;
    gpu_force_trips(machine.gpu, inner, 1);
    run_format(loops, "while", 5);
    expect((uint32_t[]){520, 521, 522, 523, 524, 525, 526, 527});
    if (is_from(VESIM_XE3))
        return; /* has no brd */
    run_format(loops, "brd", 5);
    expect((uint32_t[]){520, 521, 522, 523, 524, 525, 526, 527});
    gpu_force_trips(machine.gpu, both, 2);
    run_format(loops, "while", 6);
    expect((uint32_t[]){312, 313, 314, 315, 316, 317, 318, 319});
    gpu_force_trips(machine.gpu, outer, 2);
    run_format(loops, "while", 7);
    expect((uint32_t[]){2200, 2201, 2202, 2203, 2204, 2205, 2206, 2207});
    gpu_force_trips(machine.gpu, NULL, 0);
    run_format(loops, "while", 1);
    expect((uint32_t[]){1100, 1101, 1102, 1103, 1104, 1105, 1106, 1107});
}

/* A loop of the whole thread: jmpi back. */
static void test_given_trips_of_jumps(void **state)
{
    static const unsigned trips[] = {6};

    (void)state;
    gpu_force_trips(machine.gpu, trips, 1);
    run("mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "LOOP:\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r20.0<8;8,1>:d 0:w {@1}\n"
        "(W&f0.0) jmpi LOOP");
    gpu_force_trips(machine.gpu, NULL, 0);
    expect((uint32_t[]){6, 6, 6, 6, 6, 6, 6, 6});
}

/* halt: lanes are out until the end of the program. */
static void test_halt(void **state)
{
    (void)state;
    run("mov (8|M0) r20.0<1>:d 1:w {@1}\n"
        "cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 5:w {@1}\n"
        "(f0.0) halt (8|M0) END END\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 5:w {@1}\n"
        "END:\n"
        "halt (8|M0) NEXT NEXT\n"
        "NEXT:\n"
        "join (8|M0) REST\n"
        "REST:\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}");
    expect((uint32_t[]){7, 7, 7, 7, 7, 7, 2, 2});
}

/* jmpi by an immediate and by a register, backward too. */
static void test_jump(void **state)
{
    (void)state;
    run("(W) mov (1|M0) r15.0<1>:d 48:w {@1}\n"
        "mov (8|M0) r20.0<1>:d 1:w {@1}\n"
        "(W) jmpi (1|M0) r15.0\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:w {NoCompact,@1}\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 4:w {NoCompact,@1}\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 8:w {NoCompact,@1}");
    expect((uint32_t[]){9, 9, 9, 9, 9, 9, 9, 9});
    expect_fault("(W) mov (1|M0) r15.0<1>:d 0x5001:uw {@1}\n(W) jmpi (1|M0) r15.0",
                 "branch to no instruction");
}

/* The pointer counts bytes; what was read can be called and jumped to. */
static void test_pointer(void **state)
{
    (void)state;
    run("(W) mov (1|M0) r15.0<1>:ud ip<0;1,0>:ud {NoCompact,@1}\n"
        "(W) mov (1|M0) r15.1<1>:ud ip<0;1,0>:ud {NoCompact,@1}\n"
        "(W) add (1|M0) r15.2<1>:d r15.1<0;1,0>:d -r15.0<0;1,0>:d {@1}\n"
        "mov (8|M0) r20.0<1>:d r15.2<0;1,0>:d {@1}");
    expect((uint32_t[]){16, 16, 16, 16, 16, 16, 16, 16});
    expect_fault("(W) mov (1|M0) ip<1>:ud 0:uw", "does not know");
}

/* A function by its address, called by some lanes; it calls another. */
static void test_indirect_call(void **state)
{
    (void)state;
    run("mov (8|M0) r20.0<1>:d 5:w {@1}\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 6:w {@1}\n"
        "(W) mov (1|M0) r15.0<1>:ud ip<0;1,0>:ud {NoCompact,@1}\n"
        "(W) add (1|M0) r15.0<1>:ud r15.0<0;1,0>:ud 64:uw {NoCompact,@1}\n"
        "(f0.0) calla (8|M0) r30.0 r15.0\n"
        "(W) jmpi (1|M0) OVER\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {NoCompact,@1}\n"
        "(W) mov (1|M0) r15.0<1>:d 48:w {@1}\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 2:w {@1}\n"
        "(f0.0) call (8|M0) r31.0 r15.0\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {NoCompact,@1}\n"
        "ret (8|M0) r30.0\n"
        "mul (8|M0) r20.0<1>:d r20.0<8;8,1>:d 3:w {NoCompact,@1}\n"
        "ret (8|M0) r31.0\n"
        "OVER:\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:w {@1}");
    expect((uint32_t[]){119, 119, 107, 107, 107, 107, 105, 105});
    expect_fault("(W) mov (1|M0) r15.0<1>:ud 0x40000:ud {@1}\ncalla (8|M0) r30.0 r15.0",
                 "call of code outside the kernel");
}

int main(int argc, char **argv)
{
    instructions_choose(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branch_diverging),
        cmocka_unit_test(test_branch_converging),
        cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_given_trips),
        cmocka_unit_test(test_given_trips_of_jumps),
        cmocka_unit_test(test_halt),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_pointer),
        cmocka_unit_test(test_indirect_call),
    };
    return cmocka_run_group_tests_name("flow", tests, instructions_create, instructions_destroy);
}
