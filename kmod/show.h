/* SPDX-License-Identifier: GPL-2.0-only */
/* What sessions hold, for readers: one in /proc/PID/fdinfo, all of them in debugfs. */
#ifndef _ACRPMU_SHOW_H
#define _ACRPMU_SHOW_H

struct acrpmu_session;
struct seq_file;

void acrpmu_show_init(void);
void acrpmu_show_exit(void);
void acrpmu_show_session(struct seq_file *m, const struct acrpmu_session *session);

#endif /* _ACRPMU_SHOW_H */
