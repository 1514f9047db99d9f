#include "instructions.h"
int main(int argc, char **argv){instructions_choose(argc, argv); return 0;}
