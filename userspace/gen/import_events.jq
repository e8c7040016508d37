# SPDX-License-Identifier: LGPL-2.1-or-later
# The facts of one of the kernel's JSON files of events in the layout of userspace/events: an object a line, sorted by name.
# arguments: $units, the units to keep, null for events without one, and if they are several to tell apart; $words, our descriptions by name;
# $tables, events of our own tables with a description, which fits wherever an event has the same name and code

# "0xB7, 0xBB" becomes "0xb7,0xbb"; a field that says nothing becomes null.
def plain: (. // "") | tostring | ascii_downcase | gsub("\\s"; "") |
	if test("^(|0|0x0+|null)$") then null else [split(",")[] | sub("^0x0+(?=[0-9a-f])"; "0x")] | join(",") end;

# Numbers of counters, or a fixed one.
def counters: (. // "") | if test("^Fixed") then gsub("\\s+$"; "") else gsub("\\s"; "") end;

# What needs PEBS: by the list itself, as load latencies, or by the kind of event. 1 only says that it may be precise.
def pebs: if .PEBS == "2" or (.MSRIndex | plain) == "0x3f6" or (.EventName | test("\\.(PREC_DIST|STORE_SAMPLE)$")) then "2" else null end;

# The lists of Darkmont and Arctic Wolf lost the upper byte of one unit mask: see "Where the two sources differ" in Documentation/events.rst.
def umask: (.UMask | plain) as $umask |
	if .EventName == "UOPS_RETIRED.X87" and (.EventCode | plain) == "0xc2" and $umask == null then "0x100" else $umask end;

def code: "\(.EventName) \(.EventCode // "") \(.UMask // "") \(.MSRIndex // "") \(.MSRValue // "")";
($tables | map({(code): .BriefDescription}) | add // {}) as $known |
[(if type == "array" then .[] else empty end) | select(.EventName and (.Unit as $unit | $units | index([$unit])))] |
	sort_by(.EventName, .Unit) | .[] |
	{
		EventName: (.EventName | gsub("\\s"; "")), EventCode: (.EventCode | plain), UMask: umask, Counter: (.Counter | counters),
		SampleAfterValue: (.SampleAfterValue | plain), CounterMask: (.CounterMask | plain), EdgeDetect: (.EdgeDetect | plain),
		Invert: (.Invert | plain), AnyThread: (.AnyThread | plain), MSRIndex: (.MSRIndex | plain),
		MSRValue: (.MSRValue | plain), PEBS: pebs, Deprecated: (.Deprecated | plain), Unit: (if $units | length > 1 then .Unit else null end)
	} | .BriefDescription = ($known[code] // $words[.EventName]) | with_entries(select(.value))
