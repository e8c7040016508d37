/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs coming online and going offline. */
#ifndef _ACRPMU_HOTPLUG_H
#define _ACRPMU_HOTPLUG_H

int acrpmu_hotplug_init(void);
void acrpmu_hotplug_exit(void);

#endif /* _ACRPMU_HOTPLUG_H */
