/* Linked statically: a program that nothing can be preloaded into. */
#include <stdio.h>

int main(void)
{
    puts("static");
    return 0;
}
