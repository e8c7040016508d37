// SPDX-License-Identifier: GPL-2.0-only
/* The device that acrctl talks to: the real one. */
#include "cmd.h"

const struct acrpmu_ops *const acrctl_ops;
