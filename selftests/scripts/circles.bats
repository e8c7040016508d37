# SPDX-License-Identifier: GPL-2.0-only
# The check that symbols make no circle, on small objects made for it.

setup() { cd "$BATS_TEST_TMPDIR"; }

# object NAME TEXT: compiles C text to NAME.o.
object() { printf '%s\n' "$2" | "${CC:-cc}" -fno-common -c -x c -o "$1.o" -; }

# circles NODE=OBJECT...: runs the check; a node may come several times.
circles() { printf '%s\n' "$@" | sed -E 's/(.*)=(.*)/\2.o \1/' | "$BATS_TEST_DIRNAME/../run/circles.sh"; }

@test "circles.sh: arrows that run one way are no circle" {
	object top 'void mid(void); int low(void); void top(void) { mid(); low(); }'
	object mid 'int low(void); void puts(char *); void mid(void) { low(); puts(""); }'
	object low 'int low(void) { return 1; }'
	run circles top=top mid=mid low=low
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "circles.sh: a circle is printed with a symbol for each arrow" {
	object a 'void b(void); void a(void) { b(); }'
	object b 'void c(void); void b(void) { c(); }'
	object c 'void a(void); void c(void) { a(); }'
	run circles a=a b=b c=c
	[ "$status" = 1 ]
	[ "$output" = "circle of 3:
  a needs b of b
  b needs c of c
  c needs a of a" ]
}

@test "circles.sh: data makes a circle as functions do" {
	object main 'void work(void); int verbose; void start(void) { work(); }'
	object work 'extern int verbose; void work(void) { verbose++; }'
	run circles main=main work=work
	[ "$status" = 1 ]
	[ "${lines[2]}" = '  work needs verbose of main' ]
}

@test "circles.sh: a constant table and a weak reference count as well" {
	object main 'void work(void); const int table[2] = { 1, 2 }; void start(void) { work(); }'
	object work 'extern const int table[2] __attribute__((weak)); int work(void) { return table[1]; }'
	run circles main=main work=work
	[ "$status" = 1 ]
}

@test "circles.sh: static symbols of one name make no arrow" {
	object a 'void b(void); static void help(void) { b(); } void a(void) { help(); }'
	object b 'static int help; void b(void) { help++; }'
	circles a=a b=b
}

@test "circles.sh: objects of one node may need each other, two nodes may not" {
	object one 'void two(void); void one(void) { two(); }'
	object two 'void one(void); void three(void); void two(void) { one(); three(); }'
	object three 'void three(void) { }'
	circles folder=one folder=two other=three
	run circles folder=one other=two folder=three
	[ "$status" = 1 ]
	[ "${lines[0]}" = 'circle of 2:' ]
}

@test "circles.sh: two circles are both printed" {
	object a 'void b(void); void a(void) { b(); }'
	object b 'void a(void); void b(void) { a(); }'
	object c 'void d(void); void c(void) { d(); }'
	object d 'void c(void); void d(void) { c(); }'
	run circles a=a b=b c=c d=d
	[ "$(grep -c '^circle of 2:$' <<< "$output")" = 2 ]
}

@test "circles.sh: members of an archive are objects" {
	object a 'void b(void); void a(void) { b(); }'
	object b 'void a(void); void b(void) { a(); }'
	ar rcs both.a a.o b.o
	run "$BATS_TEST_DIRNAME/../run/circles.sh" <<< $'both.a[a.o] a\nboth.a[b.o] b'
	[ "$status" = 1 ]
	[ "${lines[1]}" = '  a needs b of b' ]
}

@test "circles.sh: nothing to look at and a missing object are failures" {
	run "$BATS_TEST_DIRNAME/../run/circles.sh" < /dev/null
	[ "$status" = 2 ]
	run circles none=none
	[ "$status" != 0 ]
}
