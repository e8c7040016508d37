#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Which lines of a module ran, by the model's log: on a module made here, with 16 bytes of code for each line. And the table of them.

bats_require_minimum_version 1.5.0

cover=$BATS_TEST_DIRNAME/../cover

# Lines 10 to 22 follow each other from the second page of .text on, then 60 to 63 in .exit.text; 40 to 45 and again 44 are .init.text.
# 18: two addresses that are relocated, one of the module itself. 19 is no statement. 20 has no code of its own. 22: a jump that the kernel
# replaces.
make_module()
{
	local line

	cat <<-'END'
	.macro source line
	.loc 1 \line 1
	movabs $0x0101010101010101 * \line, %rax
	add $0x01010101 * \line, %ebx
	.endm
	.file 1 "kmod/made.c"
	.text
	.rept 256
	source 9
	.endr
	END
	for line in {10..17}; do echo "source $line"; done
	cat <<-'END'
	.loc 1 18 1
	call elsewhere
	mov $datum, %rsi
	.byte 0x0f, 0x1f, 0x40, 0
	.loc 1 19 1 is_stmt 0
	.loc 1 20 1 is_stmt 1
	source 21
	.loc 1 22 1
	.Lsite:
	jmp elsewhere
	add $0x22222222, %ebx
	add $0x22222222, %ecx
	.section .return_sites, "a"
	.long .Lsite - .
	.data
	.quad 0
	datum: .quad 0
	.section .exit.text, "ax"
	.balign 16
	END
	for line in {60..63}; do echo "source $line"; done
	echo '.section .init.text, "ax"'
	for line in {40..45}; do echo "source $line"; done
	printf '%s\n' '.loc 1 44 1 is_stmt 0' 'add $0x44444444, %ebx'
}

setup_file()
{
	local section

	cd "$BATS_FILE_TMPDIR" || return 1
	make_module > made.s
	"${CC:-cc}" -g -c -o made.ko made.s || return 1
	for section in text exit.text init.text; do objcopy -O binary -j ".$section" made.ko "$section" || return 1; done
	make -s -C "$cover" BUILD="$BATS_FILE_TMPDIR"
}

setup() { cd "$BATS_FILE_TMPDIR" && : > log; }

# block SECTION OFFSET SIZE [ADDRESS]: logs a block of a section that is loaded there
block()
{
	printf '{"t":"block","pc":"%#x","bytes":"%s"}\n' $((${4:-0xffffffffc0005000} + $2)) \
		"$(od -An -v -tx1 -j "$2" -N "$3" "$1" | tr -d ' \n')" >> log
}

# blocks ADDRESS LINE...: each of these lines, from 10 on, as a block of its own
blocks()
{
	local line

	for line in "${@:2}"; do block text $((4096 + 16 * (line - 10))) 16 "$1"; done
}

# ran LINES OTHERS: these lines ran, and so many blocks at the module's addresses are not its code.
ran()
{
	"$BATS_FILE_TMPDIR/cover/lines" made.ko log > lines 2> err
	awk -F '[:\t]' '$4 { is[$2] } $3 { ran[$2] } END { for (line in is) if (line in ran) print line }' lines |
		sort -nu | paste -sd ' ' | tee /dev/stderr | grep -qx "$1"
	[ "$(cat err)" = "made.ko: $2 of $(grep -c block log) blocks at its addresses are not its code" ]
}

@test "cover: lines that ran are those of which a block did" {
	blocks 0xffffffffc0005000 10 12 15
	ran '10 12 15' 0
	# All lines of the module
	[ "$(awk -F '[:\t]' '$4 { print $2 }' lines | sort -nu | paste -sd ' ')" = \
		'9 10 11 12 13 14 15 16 17 18 20 21 22 40 41 42 43 44 45 60 61 62 63' ]
	[ "$(cut -d : -f 1 lines | sort -u)" = kmod/made.c ]
}

@test "cover: of a block of several lines each ran, and one of which it has two bytes" {
	blocks 0xffffffffc0005000 10 12
	block text $((4096 + 16 * 4)) 34
	ran '10 12 14 15 16' 0
}

@test "cover: a line without code of its own ran if the next instruction did" {
	blocks 0xffffffffc0005000 10 11 12
	block text $((4096 + 16 * 9)) 10
	ran '10 11 12 20 21' 0
}

@test "cover: a line ran if it did at any of the addresses at which the module was loaded" {
	blocks 0xffffffffc0005000 10 11 12
	blocks 0xffffffffa0321000 13 15 17
	ran '10 11 12 13 15 17' 0
}

@test "cover: the kernel puts sections one behind the other, each aligned, and those of the beginning elsewhere" {
	blocks 0xffffffffc0005000 10 11 12
	# .text has 4096 + 10 * 16 + 17 bytes.
	block exit.text 16 16 $((0xffffffffc0005000 + 4096 + 12 * 16))
	for line in 1 2 3; do block init.text $((16 * line)) 16 0xffffffffc0777000; done
	ran '10 11 12 41 42 43 61' 0
}

@test "cover: of a line also code ran that begins no statement" {
	for line in 1 2 3 6; do block init.text $((16 * line)) $((line < 6 ? 16 : 6)) 0xffffffffc0777000; done
	ran '41 42 43 44' 0
}

@test "cover: what the kernel relocates or replaces may be anything" {
	blocks 0xffffffffc0005000 10 11 12 18
	block text $((4096 + 16 * 10)) 17
	sed -i 's/e80000000048c7c600000000/e8fedcba9848c7c6102040c0/; s/e900000000/c3cccccccc/' log
	[ "$(grep -cE 'e8fedcba9848c7c6102040c0|c3cccccccc' log)" = 2 ]
	ran '10 11 12 18 22' 0
}

@test "cover: other code at these addresses is another module's" {
	blocks 0xffffffffc0005000 10 11 12 14 18
	sed -i 's/48b80e/48b80f/; s/0f1f4000/0f1f4001/' log
	ran '10 11 12' 2
}

@test "cover: two blocks alone do not make a load, nor three that disagree about the address" {
	blocks 0xffffffffc0005000 10 11
	ran '' 0
	blocks 0xffffffffc0006000 12
	ran '' 0
}

@test "cover: a log that ends within a line is refused" {
	blocks 0xffffffffc0005000 10 11 12
	truncate -s -4 log
	run ! cover/lines made.ko log
}

# table [-v NAME=VALUE]: the table of lines that `input` has, with reasons of the file `reasons`
table() { awk -v reasons=reasons "$@" -f "$cover/table.awk" input; }

# Two files of which nineteen lines of twenty ran, if all of b.c did
setup_table()
{
	local line

	mkdir -p kmod/core
	printf '%s\n' 'static int one(struct a *a,' '	       int b)' '{' '	if (b)' '		return -ENOMEM;' '	return two(a);' '}' \
		'void two(struct a *a)' '{' '	if (b)' '		return -ENOMEM;' '}' > kmod/a.c
	: > kmod/b.h
	: > reasons
	{
		for line in 4 5 6 10; do printf 'kmod/a.c:%s\t1\t1\n' $line; done
		for line in {1..16}; do printf './kmod/./b.h:%s\t%s\t1\n' $line $((line != 9)); done
		printf '%s\t0\t1\n' kmod/core/c.c:1 /usr/include/d.h:2 kmod/../uapi/e.h:3
	} > input
}

@test "cover: the table has lines of kmod outside of core, which ran if any boot did so" {
	setup_table
	printf 'kmod/b.h:9\t1\t0\nkmod/b.h:9\t0\t1\nkmod/a.c:5\t0\t1\nkmod/a.c:2\t1\t0\n' >> input
	run -0 table
	[ "$output" = "file                      lines    ran
kmod/a.c                      4      4  100.0 %
kmod/b.h                     16     16  100.0 %
all                          20     20  100.0 %" ]
}

@test "cover: the head and the braces of a function are no statements" {
	setup_table
	run -0 table
	before=$output
	printf 'kmod/a.c:%s\t0\t1\n' 1 3 8 9 12 >> input
	run -0 table
	[ "$output" = "$before" ]
	printf 'kmod/a.c:11\t0\t1\n' >> input
	run -0 table
	[ "$output" != "$before" ]
}

@test "cover: 95 % of the lines must run" {
	setup_table
	run -0 table -v judge=1
	[[ $output = *'ok 1 - at least 95 % of the lines of kmod outside of core ran (19 of 20)'* ]]
	sed -i 's/a.c:4\t1/a.c:4\t0/' input
	run -0 table -v judge=1
	[[ $output = *'not ok 1 - at least 95 % of the lines of kmod outside of core ran (18 of 20)'* ]]
	: > input
	run -0 table -v judge=1
	[[ $output = *'not ok 1 - at least 95 % of the lines of kmod outside of core ran (0 of 0)'*'1..3' ]]
}

@test "cover: a line that never ran is printed, unless its text in its function has a reason" {
	setup_table
	sed -i 's/a.c:5\t1/a.c:5\t0/' input
	printf 'kmod/b.h:9\t1\t1\nkmod/a.c:11\t0\t1\n' >> input
	run -0 table -v judge=1
	[ "${lines[4]}" = 'kmod/a.c:5: one: return -ENOMEM;' ]
	[ "${lines[5]}" = 'kmod/a.c:11: two: return -ENOMEM;' ]
	[ "${lines[7]}" = 'not ok 2 - each line that never ran has a reason (2 have none)' ]
	printf '%s\n' 'Memory is there.' '	kmod/a.c two: return -ENOMEM;' > reasons
	run -0 table -v judge=1
	[ "${lines[4]}" = 'kmod/a.c:5: one: return -ENOMEM;' ]
	[ "${lines[6]}" = 'not ok 2 - each line that never ran has a reason (1 have none)' ]
	[ "${lines[7]}" = 'ok 3 - each reason is of lines that never ran (0 are not)' ]
	printf '%s\n' '	kmod/a.c one:' >> reasons
	run -0 table -v judge=1
	[ "${lines[5]}" = 'ok 2 - each line that never ran has a reason (0 have none)' ]
}

@test "cover: a reason of a line that ran, or is not there, or that says nothing, is printed" {
	setup_table
	printf 'kmod/b.h:9\t1\t1\n' >> input
	printf '%s\n' '	kmod/a.c zero:' 'Memory is there.' '	kmod/a.c one: return -ENOMEM;' '	kmod/a.c three:' > reasons
	run -0 table -v judge=1
	[ "${lines[4]}" = 'reasons: not of a line that never ran: 	kmod/a.c zero:' ]
	[ "${lines[5]}" = 'reasons: not of a line that never ran: kmod/a.c one: return -ENOMEM;' ]
	[ "${lines[6]}" = 'reasons: not of a line that never ran: kmod/a.c three:' ]
	[ "${lines[9]}" = 'not ok 3 - each reason is of lines that never ran (3 are not)' ]
}
