// SPDX-License-Identifier: LGPL-2.1-or-later
/* The grammar of conditions: "A / B > x", joined by "&&". */
#include "cond_parse.h"

#include <errno.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "cond_operand.h"

#define MAX_DEPTH	32
#define COMPARE_HINT	"write A / B > x or A / B < x, and in a shell put the whole " \
			"condition in quotes"

/**
 * struct relation - how two sides are compared
 * @symbol: as it is written
 * @nearest: what is possible and comes nearest to it
 */
struct relation {
	const char *symbol;
	const char *nearest;
};

/* Longer ones first. */
static const struct relation relations[] = {
	{ "===", NULL }, { ">=", ">" }, { "<=", "<" }, { "=>", ">" }, { "=<", "<" },
	{ ">>", ">" }, { "<<", "<" }, { "==", NULL }, { "!=", NULL }, { "<>", NULL },
	{ ">", ">" }, { "<", "<" }, { "=", NULL },
	/* in UTF-8: greater or equal, less or equal, not equal */
	{ "\xe2\x89\xa5", ">" }, { "\xe2\x89\xa4", "<" }, { "\xe2\x89\xa0", NULL },
};

/* '>' or '<'; for those that are neither, what they begin with. */
static char direction(const struct relation *relation)
{
	return relation->nearest ? *relation->nearest : *relation->symbol;
}

static struct message_word word_of(const struct cond_value *value)
{
	return acrpmu_text_word(value->words);
}

static void end_words(const struct cond_reader *r, struct cond_value *value, const char *start)
{
	value->words = (struct span){ start, r->at - start };
}

static const struct relation *find_relation(const char *at)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(relations); i++) {
		if (!strncmp(at, relations[i].symbol, strlen(relations[i].symbol)))
			return &relations[i];
	}
	return NULL;
}

/* ---- a ratio ------------------------------------------------------------------------------ */

static int read_joined(struct cond_reader *r, struct cond_value *value);

static int read_parentheses(struct cond_reader *r, struct cond_value *value)
{
	const char *open = r->at;
	int err;

	if (++r->depth > MAX_DEPTH)
		return acrpmu_text_refuse(r->text, open, "parentheses", "leave some out",
					  "more than %u parentheses are open", MAX_DEPTH);
	r->at = acrpmu_text_skip(open + 1);
	err = read_joined(r, value);
	if (err)
		return err;
	r->at = acrpmu_text_skip(r->at);
	if (!*r->at)
		return acrpmu_text_refuse(r->text, open, "parentheses", "write the closing one",
					  "the parenthesis here is never closed");
	if (*r->at != ')')
		return acrpmu_cond_refuse_here(r, "')'", COMPARE_HINT);
	r->at++;
	r->depth--;
	return 0;
}

/* The position is behind blanks before each of these, and not after it. */
static int read_part(struct cond_reader *r, struct cond_value *value)
{
	const char *start = r->at;
	int err;

	if (*r->at == '(')
		err = read_parentheses(r, value);
	else if (*r->at == '!')
		err = acrpmu_cond_refuse_here(r, "an event", "write the opposite comparison: "
					      "A / B < x instead of !(A / B > x)");
	else
		err = acrpmu_cond_operand_read(r, value);
	if (!err)
		end_words(r, value, start);
	return err;
}

static int refuse_division(const struct cond_reader *r, const struct cond_value *over,
			   const struct cond_value *under)
{
	if (over->kind == COND_EVENT && under->kind == COND_NUMBER)
		return acrpmu_text_refuse(r->text, under->words.at, "condition-ratio",
					  "divide by another event; numbers go behind > or <",
					  "'%s' is divided by a number", word_of(over).text);
	return acrpmu_text_refuse(r->text, under->words.at, "condition-ratio",
				  "one event is divided by one other: A / B",
				  "'%s' cannot be divided by '%s'", word_of(over).text,
				  word_of(under).text);
}

static int read_quotient(struct cond_reader *r, struct cond_value *value)
{
	const char *start = r->at;
	int err = read_part(r, value);

	while (!err && *acrpmu_text_skip(r->at) == '/') {
		struct cond_value under;

		r->at = acrpmu_text_skip(acrpmu_text_skip(r->at) + 1);
		err = read_part(r, &under);
		if (err)
			return err;
		if (value->kind != COND_EVENT || under.kind != COND_EVENT)
			return refuse_division(r, value, &under);
		value->kind = COND_RATIO;
		value->per = 1;
		value->b = under.a;
		end_words(r, value, start);
	}
	return err;
}

/* ---- a comparison ------------------------------------------------------------------------- */

/* Whether both sides are what they must be, ratio and number; names what comes nearest. */
static int check_sides(const struct cond_reader *r, const struct cond_value *left, char symbol,
		       const struct cond_value *right)
{
	struct acrpmu_message *message = r->text->message;
	char mirrored = symbol == '<' ? '>' : '<';

	if (left->kind == COND_RATIO && right->kind == COND_NUMBER)
		return 0;
	acrpmu_text_refuse(r->text, left->words.at, "condition-sides", COMPARE_HINT,
			   "a comparison has a ratio of two events on its left and a number on its "
			   "right");
	if (left->kind == COND_NUMBER && right->kind == COND_RATIO)
		acrpmu_message_hint(message, "write it as %s %c %s", word_of(right).text,
				    mirrored, word_of(left).text);
	else if (left->kind == COND_EVENT && right->kind == COND_EVENT)
		acrpmu_message_hint(message, "write it as %s / %s %c 1", word_of(left).text,
				    word_of(right).text, symbol);
	else if (left->kind == COND_EVENT && right->kind == COND_NUMBER)
		acrpmu_message_hint(message, "divide '%s' by another event; to sample each Nth "
				    "occurrence of it alone, use -e and -c N", word_of(left).text);
	return -EINVAL;
}

static int check_relation(const struct cond_reader *r, const struct cond_value *left,
			  const struct relation *relation, const struct cond_value *right)
{
	struct acrpmu_message *message = r->text->message;

	if (relation->nearest && !strcmp(relation->symbol, relation->nearest))
		return 0;
	if (relation->symbol[1]) {
		acrpmu_text_refuse(r->text, left->words.at, "condition-relation", "",
				   "'%s' is not possible: a window ends with the first overflow, "
				   "and is sampled only if the ratio was beyond the threshold",
				   relation->symbol);
	} else {
		acrpmu_text_refuse(r->text, left->words.at, "condition-relation", "",
				   "a ratio that equals a number exactly cannot be sampled");
	}
	if (relation->nearest)
		acrpmu_message_hint(message, "write %s %s %s", word_of(left).text,
				    relation->nearest, word_of(right).text);
	else
		acrpmu_message_hint(message, "write %s > %s or %s < %s", word_of(left).text,
				    word_of(right).text, word_of(left).text, word_of(right).text);
	return -EINVAL;
}

static int refuse_chain(const struct cond_reader *r, const struct cond_value *left,
			char symbol, const struct cond_value *right)
{
	const struct cond_value *ratio = left->kind == COND_RATIO ? left : right;
	const struct cond_value *number = left->kind == COND_RATIO ? right : left;
	/* in front of the ratio the number is mirrored */
	bool below = (symbol == '<') == (ratio == left);

	acrpmu_text_refuse(r->text, left->words.at, "condition-range", COMPARE_HINT,
			   "a range has two limits for one ratio, of which only one can be "
			   "sampled");
	if (ratio->kind == COND_RATIO && number->kind == COND_NUMBER)
		acrpmu_message_hint(r->text->message, "take one of the two, such as %s %c %s",
				    word_of(ratio).text, below ? '<' : '>', word_of(number).text);
	return -EINVAL;
}

/* The two sides are read; the words of the comparison begin with those of the left one. */
static int add_comparison(struct cond_reader *r, struct cond_value *left,
			  const struct relation *relation, const struct cond_value *right)
{
	struct cond_words words = {
		.left = left->words,
		.right = right->words,
		.a = left->a,
		.b = left->b,
		.below = direction(relation) == '<',
	};
	int err;

	if (find_relation(acrpmu_text_skip(r->at)))
		return refuse_chain(r, left, direction(relation), right);
	err = check_sides(r, left, direction(relation), right);
	if (!err)
		err = check_relation(r, left, relation, right);
	if (err)
		return err;
	end_words(r, left, left->words.at);
	left->kind = COND_CONDITION;
	words.all = left->words;
	acrpmu_cond_number_divide(&right->number, left->per, &words.num, &words.den);
	return acrpmu_cond_group_add(&r->builder, &words);
}

static int read_comparison(struct cond_reader *r, struct cond_value *value)
{
	const struct relation *relation;
	struct cond_value right;
	const char *at;
	int err = read_quotient(r, value);

	if (err)
		return err;
	at = acrpmu_text_skip(r->at);
	relation = find_relation(at);
	if (!relation)
		return 0;
	r->at = acrpmu_text_skip(at + strlen(relation->symbol));
	err = read_quotient(r, &right);
	return err ? err : add_comparison(r, value, relation, &right);
}

/* ---- comparisons -------------------------------------------------------------------------- */

static int check_condition(struct cond_reader *r, const struct cond_value *value)
{
	if (value->kind == COND_CONDITION)
		return 0;
	r->at = acrpmu_text_skip(r->at);
	return acrpmu_cond_refuse_here(r, value->kind == COND_EVENT ? "'/'" : "'>' or '<'",
				       COMPARE_HINT);
}

static int refuse_either(const struct cond_reader *r)
{
	const char *second = r->at + 1 + (r->at[1] == '|');

	return acrpmu_text_refuse(r->text, acrpmu_text_skip(second), "condition-or",
				  "record each side with a command of its own, or join them by && "
				  "to sample where both hold",
				  "'||' is not possible: a window is sampled by one event only");
}

static int read_joined(struct cond_reader *r, struct cond_value *value)
{
	const char *start = r->at, *at;
	int err = read_comparison(r, value);

	for (;;) {
		if (err)
			return err;
		at = acrpmu_text_skip(r->at);
		if (*at != '&' && *at != '|')
			return 0;
		err = check_condition(r, value);
		if (err)
			return err;
		r->at = at;
		if (*at == '|')
			return refuse_either(r);
		if (at[1] != '&')
			return acrpmu_cond_refuse_here(r, "'&&'", "comparisons are joined by &&");
		r->at = acrpmu_text_skip(at + 2);
		err = read_comparison(r, value);
		if (!err)
			err = check_condition(r, value);
		if (!err)
			end_words(r, value, start);
	}
}

static int read_all(struct cond_reader *r)
{
	struct cond_value value;
	int err;

	r->at = acrpmu_text_skip(r->at);
	if (!*r->at)
		return acrpmu_text_refuse(r->text, r->at, "no-condition",
					  "write one, like 'instructions / cycles > 2'",
					  "the condition is empty");
	err = read_joined(r, &value);
	if (!err)
		err = check_condition(r, &value);
	if (err)
		return err;
	r->at = acrpmu_text_skip(r->at);
	if (!*r->at)
		return 0;
	return acrpmu_cond_refuse_here(r, "'&&' or the end", *r->at == '*' ?
				       "numbers are not multiplied: write a percentage, a "
				       "fraction or a decimal" : "comparisons are joined by &&");
}

int acrpmu_cond_parse(const struct text *text, const struct acrpmu_parse_options *options,
		      struct acrpmu_spec *spec, const char **at, const char **pmu)
{
	struct spec_group *group = acrpmu_spec_add_group(spec);
	struct acrpmu_condition condition = { .nr_comparisons = 0 };
	struct cond_reader r = {
		.text = text,
		.options = options,
		.at = *at,
		.builder = { .text = text, .group = group, .condition = &condition },
	};
	int err;

	if (!group)
		return -ENOMEM;
	err = read_all(&r);
	acrpmu_cond_group_clear(&r.builder);
	if (!err)
		err = acrpmu_cond_group_finish(&r.builder, &spec->how);
	*at = r.at;
	*pmu = r.pmu;
	if (err)
		return err;
	/* only now, since the next kind of core may not have the events */
	*spec->condition = condition;
	group->condition = spec->condition;
	return 0;
}
