// SPDX-License-Identifier: LGPL-2.1-or-later
/* Groups of an event string for the kinds of cores that can count them. */
#include "event_kind.h"

#include <errno.h>
#include <string.h>

#include "cpu_identity.h"
#include "encode.h"
#include "event_parse.h"
#include "event_resolve.h"
#include "kind_name.h"

/**
 * struct reading - a group that is read once for each kind
 * @text: the string
 * @options: how to read it
 * @spec: what it is appended to
 * @read: reads it
 * @named: it names a PMU that one of the kinds has
 */
struct reading {
	const struct text *text;
	const struct acrpmu_parse_options *options;
	struct acrpmu_spec *spec;
	read_group_fn *read;
	bool named;
};

static unsigned int nr_kinds(const struct acrpmu_parse_options *options)
{
	return options->kinds ? options->nr_kinds : 1;
}

static bool names_pmu(const char *pmu)
{
	return pmu && strcmp(pmu, CPU_PMU);
}

/* PMUs of hybrid CPUs; their names outlive the events. */
static const char *find_hybrid(const char *pmu)
{
	static const char *const pmus[] = { CPU_PMU_CORE, CPU_PMU_ATOM, CPU_PMU_LOWPOWER };
	unsigned int i;

	for (i = 0; i < sizeof(pmus) / sizeof(*pmus); i++) {
		if (!strcmp(pmu, pmus[i]))
			return pmus[i];
	}
	return NULL;
}

/*
 * A group that names no PMU is for the kinds that have its events, and reload if it asks for that;
 * where there is only one, the module refuses what cannot be counted.
 */
static int adopt(struct reading *r, const struct text *text, const char *pmu)
{
	const char *own = find_hybrid(acrpmu_events_pmu(text->events));
	struct acrpmu_spec *spec = r->spec;
	struct acrpmu_cpu cpu;

	if (names_pmu(pmu))
		r->named = true;
	else if (nr_kinds(r->options) > 1 && !acrpmu_events_cpu(text->events, &cpu) &&
		 acrpmu_encode_check(spec, spec->nr - 1, &cpu, text->message) == -EOPNOTSUPP)
		return -EINVAL;
	return own ? acrpmu_kind_name(spec->groups[spec->nr - 1], own) : 0;
}

/* Returns 0, -EINVAL, -ENOMEM, or -ENODEV if the group names a PMU that is not of this kind. */
static int read_for(struct reading *r, unsigned int kind, const char **at,
		    struct acrpmu_message *why)
{
	const struct acrpmu_events *const *kinds = r->options->kinds;
	struct acrpmu_parse_options own = *r->options;
	struct acrpmu_spec *spec = r->spec;
	struct text text = *r->text;
	unsigned int nr = spec->nr;
	struct acrpmu_cpu cpu;
	const char *pmu;
	int err;

	acrpmu_message_clear(why);
	text.message = why;
	if (kinds) {
		text.events = kinds[kind];
		own.pmu = acrpmu_events_cpu(text.events, &cpu) ? NULL : cpu.name;
	}
	err = r->read(&text, &own, spec, at, &pmu);
	if (!err && kinds)
		err = adopt(r, &text, pmu);
	if (err && spec->nr > nr)
		acrpmu_spec_drop_group(spec);
	if (!err)
		spec->groups[nr]->kind = kind;
	return err;
}

/* Refuse a group that names a PMU, at @at, which no kind has. */
static int refuse_pmu(const struct reading *r, const char *at)
{
	const struct acrpmu_parse_options *options = r->options;
	const struct text *text = r->text;
	struct span word = { at, strcspn(at, "/") };
	char names[ACRPMU_MAX_KINDS * (CPU_PMU_LEN + 2)] = "";
	bool hybrid = false;
	unsigned int k;

	for (k = 0; k < nr_kinds(options); k++) {
		const struct acrpmu_events *events =
			options->kinds ? options->kinds[k] : text->events;

		strcat(strcat(names, k ? ", " : ""), acrpmu_events_pmu(events));
		hybrid = hybrid || find_hybrid(acrpmu_events_pmu(events));
	}
	return acrpmu_text_refuse(text, at, "no-pmu", hybrid ?
				  "take events of these, or choose other CPUs" : "write cpu/.../",
				  "the CPUs have no PMU '%s', only %s",
				  acrpmu_text_word(word).text, names);
}

int acrpmu_kind_read_by(const struct text *text, const struct acrpmu_parse_options *options,
			struct acrpmu_spec *spec, const char **at, read_group_fn *read)
{
	struct reading r = { .text = text, .options = options, .spec = spec, .read = read };
	struct acrpmu_message why[ACRPMU_MAX_KINDS], *refused = NULL;
	const char *end = NULL, *pmu_at = *at;
	int errs[ACRPMU_MAX_KINDS];
	unsigned int k;

	for (k = 0; k < nr_kinds(options); k++) {
		const char *here = *at;

		errs[k] = read_for(&r, k, &here, &why[k]);
		if (errs[k] == -ENOMEM)
			return -ENOMEM;
		if (!errs[k])
			end = here;
		else if (errs[k] == -ENODEV)
			pmu_at = here;
	}
	for (k = 0; k < nr_kinds(options); k++) {
		if (errs[k] != -EINVAL)
			continue;
		if (end && !r.named && options->left_out)
			options->left_out(options->ctx, k, &why[k]);
		/* kinds with a table know better what is wrong with a name */
		if (!end && (!refused || !strcmp(refused->code, RESOLVE_NO_TABLE)))
			refused = &why[k];
	}
	if (refused && text->message)
		*text->message = *refused;
	if (refused)
		return -EINVAL;
	if (!end)
		return refuse_pmu(&r, pmu_at);
	*at = end;
	return 0;
}

int acrpmu_kind_read(const struct text *text, const struct acrpmu_parse_options *options,
		     struct acrpmu_spec *spec, const char **at)
{
	return acrpmu_kind_read_by(text, options, spec, at, acrpmu_parse_group);
}
