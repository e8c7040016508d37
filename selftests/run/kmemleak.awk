# SPDX-License-Identifier: GPL-2.0-only
# What kmemleak reports of allocations by modules of ours; of one that is gone addresses have no names.
# usage: awk -f kmemleak.awk /sys/kernel/debug/kmemleak
BEGIN { RS = "unreferenced object" }
/\n    [^\n]*(\[(acrpmu|acrpmu_fail|rival|kvm)\]|0xffffffffc[0-9a-f]*)\n/ { printf "%s%s", RS, $0 }
