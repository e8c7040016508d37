#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Sessions, and what acrctl asks of the module, when a call of the kernel fails: as usual, or refused for lack of memory. Either way no
# session is left, and each register is as before.
# shellcheck disable=SC2317,SC2086,SC2154 # functions are called by ok, arguments are a list, variables of failing.sh
# shellcheck source=selftests/hw/tap.sh
. "$(dirname "$0")/tap.sh"
# shellcheck source=selftests/hw/failing.sh
. "$(dirname "$0")/failing.sh"

# asked COMMAND...: 2 if the command says that there is no memory, 1 if it fails without that
asked()
{
	! "$@" < /dev/null > "$output.out" 2>&1 || return 0
	cat "$output.out"
	grep -qE "^refused $no_memory |there is no memory left|Cannot allocate memory" "$output.out" || return 1
	same_registers || return 1
	return 2
}

hold() { asked "$tools/hw_hold"; }
count() { asked "$acrctl" stat -e instructions:u -- sh -c 'true; true' || return; has_counted || { cat "$output.out"; return 1; }; }
has_counted() { grep -qE '^ *[1-9][0-9]+  instructions:u' "$output.out"; }
info() { asked "$acrctl" info; }
list() { asked "$acrctl" ps; }
registers() { "$tools/hw_regs" > "$output.regs"; }
same_registers() { diff "$output.regs" <("$tools/hw_regs"); }
nothing_is_left() { "$acrctl" ps 2>&1 | grep -F 'there is no session' && same_registers; }

small=$(first_of kmalloc_trace __kmalloc_cache_noprof)
large=$(first_of kvmalloc_node __kvmalloc_node_noprof)
ok "the module loads" insmod "$module" $module_args
# The first session leaves a claim's disabled event select and count, as any perf command does.
ok "a session works" hold
ok "there are registers" registers
needs 'a session' hold 9 alloc_cpumask_var_node 0 free_cpumask_var
needs 'a session' hold 2 "$small" 0 ''
needs 'a session' hold 1 "$(first_of __kmalloc __kmalloc_noprof)" 0 ''
needs 'a session' hold 2 "$(first_of __kmalloc_node __kmalloc_node_noprof)" 0 ''
needs 'a session' hold 2 "$(first_of kmalloc_node_trace __kmalloc_cache_node_noprof)" 0 ''
needs 'a session' hold 3 "$large" 0 ''
needs 'a session' hold 2 vmap 0 ''
needs 'a session' hold 1 anon_inode_getfile $no_memory ''
needs 'a session' hold 1 get_unused_fd_flags $no_memory ''
ok "nothing is left of sessions of CPUs" nothing_is_left
needs 'a session of a task' count 2 "$(first_of __kmalloc __kmalloc_noprof)" 0 ''
needs 'a session of a task' count 2 "$large" 0 ''
needs 'a session of a task' count 4 tracepoint_probe_register $no_memory tracepoint_probe_unregister
ok "nothing is left of sessions of tasks" nothing_is_left
needs 'acrctl info' info 1 "$large" 0 kvfree
copes 'acrctl info' info alloc_cpumask_var_node 0 free_cpumask_var
needs 'acrctl ps' list 1 "$small" 0 ''
ok "sessions are made and work after that" hold
ok "the module unloads" rmmod acrpmu
ok "the kernel log has no warning" log_is_clean
rm -f "$output.out" "$output.regs"
finish
