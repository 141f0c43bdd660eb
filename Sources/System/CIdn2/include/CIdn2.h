/* Names of domains that are not ASCII, by libidn2, which is loaded when the first one is met: most programs never meet
   one. No libidn2 type leaves this folder. */
#ifndef NATIVEAUTH_CIDN2_H
#define NATIVEAUTH_CIDN2_H

#include <stddef.h>

/* Writes the ASCII form (UTS #46, nontransitional, STD3 rules) of a domain in UTF-8, ended by a zero, to ascii; 0 for what
   has none, or where libidn2 is not there. */
int na_domain_to_ascii(const char *domain, char *ascii, size_t capacity);

#endif
