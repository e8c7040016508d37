# SPDX-License-Identifier: GPL-2.0-only
# What dump_tables should print of one JSON file of events, worked out a second time from the descriptions of the fields.
# arguments: $table, $topic; $pmu of events without unit; $whole: "1" if the event select is the whole config word

# First number of a field that may be a list, have blanks, or be missing.
def number:
	((. // "0") | tostring | split(",")[0] // "0" | gsub("\\s"; "") | ascii_downcase) as $s |
	if $s == "" or $s == "null" then 0
	elif $s | startswith("0x") then
		reduce ($s[2:] | explode[]) as $c (0; . * 16 + (if $c >= 97 then $c - 87 else $c - 48 end))
	else $s | tonumber end;

# The same in hexadecimal, without arithmetic on it: jq's numbers are doubles, and registers have 64 bits.
def digits: if . < 16 then "0123456789abcdef"[.:. + 1] else (. / 16 | floor | digits) + (. % 16 | digits) end;
def hex:
	((. // "0") | tostring | split(",")[0] // "0" | gsub("\\s"; "") | ascii_downcase) as $s |
	(if $s | startswith("0x") then $s[2:] | sub("^0+"; "") else $s | number | digits | sub("^0$"; "") end) |
	if . == "" then "0" else "0x" + . end;

def unit: if . == null then $pmu elif startswith("cpu_") then . else "uncore_" + ascii_downcase end;

def general: if test("^[0-9, ]+$") then [split(",")[] | tonumber | pow(2; .)] | add else 0 end;
def fixed: if test("^Fixed counter [0-9]+ *$") then (.[14:] | tonumber) else -1 end;

# What perf's jevents asks for by name.
def by_name: {
	"inst_retired.any": [192, 0, 0], "inst_retired.any_p": [192, 0, 0],
	"cpu_clk_unhalted.thread": [60, 0, 0], "cpu_clk_unhalted.core": [60, 0, 0],
	"cpu_clk_unhalted.thread_any": [60, 0, 1], "cpu_clk_unhalted.ref": [0, 3, 0]
};

(if type == "object" then .Events // [] else . end)[] | select(.EventName) |
	.EventName as $name | (.Unit | unit) as $unit | by_name[$name | ascii_downcase] as $named |
	(if $named then $named[0] else .EventCode | number end) as $event |
	(if $named then $named[1] else (.UMask | number) + 256 * (.UMaskExt | number) end) as $umask |
	(if $named then $named[2] else .AnyThread | number end) as $any |
	(if $named then 0 else .EdgeDetect | number end) as $edge |
	(if $named then 0 else .Invert | number end) as $inv |
	(if $named then 0 else .CounterMask | number end) as $cmask |
	(if $named then 2000003 else .SampleAfterValue | number end) as $period |
	($umask % 256) as $low | (($umask - $low) / 256) as $high |
	(if $unit | startswith("uncore_") then "-"
	 elif $whole == "1" then $event
	 else $event + $low * 256 + $edge * 262144 + $any * 2097152 + $inv * 8388608 + $cmask * 16777216 +
		$high * 1099511627776 end) as $config |
	[$table, ($name | gsub("^\\s+|\\s+$"; "")), $unit, $topic, $config, $event, $umask,
	 (if $named then 0 else .MSRValue | hex end), (if $named then 0 else .MSRIndex | number end), $period,
	 ((.Counter // "") | general), ((.Counter // "") | fixed), (.Deprecated | number)] | map(tostring) | join("\t")
