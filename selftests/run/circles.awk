# SPDX-License-Identifier: GPL-2.0-only
# Finds circles among the nodes of a graph of symbols; circles.sh runs it on lines "OBJECT NODE" and on the output of nm -A -P.

FNR == NR {
	node_of[$1] = $2
	if (!($2 in known)) {
		known[$2]
		node[++nr_nodes] = $2
	}
	next
}
{ object = substr($1, 1, length($1) - 1) }
$3 ~ /^[A-TV-Z]$/ { home[$2] = node_of[object] }
$3 ~ /^[Uvw]$/ { user[++nr_uses] = node_of[object]; used[nr_uses] = $2 }

# An arrow is drawn from the node that uses a symbol to the node that defines it; its first symbol is kept.
function draw_arrows(	i, from, to)
{
	for (i = 1; i <= nr_uses; i++) {
		if (!(used[i] in home))
			continue
		from = user[i]
		to = home[used[i]]
		if (from != to && !((from, to) in symbol)) {
			symbol[from, to] = used[i]
			target[from, ++nr_targets[from]] = to
		}
	}
}

# Prints the shortest circle through a node, and returns its length, 0 if there is none.
function shortest_circle(start,	queue, before, first, last, i, from, to)
{
	queue[last = 1] = start
	for (first = 1; first <= last; first++) {
		from = queue[first]
		for (i = 1; i <= nr_targets[from]; i++) {
			to = target[from, i]
			if (to == start)
				return print_circle(start, from, before)
			if (!(to in before)) {
				before[to] = from
				queue[++last] = to
			}
		}
	}
	return 0
}

# The circle is start -> ... -> before[end] -> end -> start.
function print_circle(start, end, before,	path, n, i, to)
{
	for (to = end; to != start; to = before[to])
		path[++n] = to
	path[++n] = start
	path[0] = start
	print "circle of " n ":"
	for (i = n; i > 0; i--) {
		shown[path[i]]
		print "  " path[i] " needs " symbol[path[i], path[i - 1]] " of " path[i - 1]
	}
	return n
}

END {
	draw_arrows()
	for (k = 1; k <= nr_nodes; k++) {
		if (!(node[k] in shown) && shortest_circle(node[k]))
			found = 1
	}
	exit found
}
