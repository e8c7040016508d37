// SPDX-License-Identifier: GPL-2.0-only
/* While it is loaded, the kernel does not know the frequency of the TSC. */
#include <linux/module.h>
#include <asm/tsc.h>

static unsigned int known_khz;

static int __init no_tsc_init(void)
{
	known_khz = tsc_khz;
	WRITE_ONCE(tsc_khz, 0);
	return 0;
}

static void __exit no_tsc_exit(void)
{
	WRITE_ONCE(tsc_khz, known_khz);
}

module_init(no_tsc_init);
module_exit(no_tsc_exit);

MODULE_DESCRIPTION("A TSC of unknown frequency, for tests of acrpmu");
MODULE_LICENSE("GPL");
