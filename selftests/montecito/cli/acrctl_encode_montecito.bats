# SPDX-License-Identifier: GPL-2.0-only
# acrctl encode --pmu montecito: registers against recorded ones, refusals with their columns, JSON and text alike.
# Registers are those of the vector that is named: what libpfm 3.10 makes of the same request.

load ../../cli/helpers
load montecito_helpers

setup() { requires_jq; }

# gives REGISTERS ARG...
gives()
{
	local want=$1
	shift
	capture "$acrctl" encode --pmu montecito --json "$@"
	is "$status" 0
	is "$stderr" ''
	is "$(registers)" "$want"
}

# refuses CODE ARG...: so does libacrpfm, with its reason and a remedy
refuses()
{
	local want=$1
	shift
	capture "$acrctl" encode --pmu montecito --json "$@"
	is "$status" 2
	is "$stderr" ''
	is "$(json .error.code)" "$want"
	[[ $(json .error.message) =~ ^$want\ \(.+\):\ .+ ]]
	[ -n "$(json .error.hint)" ]
}

# points COLUMN STRING MESSAGE ARG...: the message, and the string with a pointer at the column
points()
{
	local column=$1 string=$2 message=$3
	shift 3
	capture "$acrctl" encode --pmu montecito "$@"
	is "$status" 2
	is "$stdout" ''
	is "$stderr" "acrctl: encode: $message
  $string
$(printf '%*s' $((column + 2)) '^') column $column"
}

etb_pmds=38,39,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63

# ---- events -----------------------------------------------------------------------------------

@test "encode montecito: an event, default privilege levels, a counter" {
	# dev-0385
	gives 'PMC4=0x20ca10c PMD4' --plm 12 -e SI_WRITEQ_INSERTS_NEWB_EITHER
}

@test "encode montecito: threshold and flags after commas and colons, several events in a string, a system-wide measurement" {
	# dev-0034
	gives 'PMC5=0x20c544b PMC4=0x200ec4b PMC6=0x220c94b PMC7=0x2519f4b PMC8=0x202544b PMD5,4,6,7,8' --plm 11 --system-wide \
		BR_PATH_PRED_NRETIND_MISPRED_NOTTAKEN,L2D_BAD_LINES_SELECTED_ANY,flags=0xd,dtlb_inserts_hpw:thres=2,SI_RQ_LIVE_REQ_LO_SELF,thres=5 \
		-e BR_PATH_PRED_ALL_OKPRED_NOTTAKEN
	# dev-0291
	gives 'PMC4=0x2057804 PMD4' --plm 4 -e L2I_READS_HIT_DMND:active-only:always
}

@test "encode montecito: unit masks by letter and by number, in any order and repeated" {
	# dev-0394
	gives 'PMC4=0x5a09de48 PMD4' --plm 8 --system-wide -e L3_WRITES_L2_WB_HIT:0:S:3
	gives 'PMC4=0x5a09de48 PMD4' --plm u --system-wide -e l3_writes_l2_wb_hit:m:i:s:1:m
}

@test "encode montecito: privilege levels of an event by number and by letters" {
	local plm
	for plm in plm=9 plm=0x9 plm=uk ku; do
		gives 'PMC4=0x20ca109 PMD4' --plm 4 -e SI_WRITEQ_INSERTS_NEWB_EITHER:$plm
	done
	gives 'PMC4=0x20ca108 PMD4' --plm 4 -e SI_WRITEQ_INSERTS_NEWB_EITHER:u
	gives 'PMC4=0x20ca101 PMD4' --plm 4 -e SI_WRITEQ_INSERTS_NEWB_EITHER,plm=k
	gives 'PMC4=0x20ca109 PMD4' SI_WRITEQ_INSERTS_NEWB_EITHER
}

@test "encode montecito: events of the L1D and L2D groups, restricted and unavailable counters" {
	# dev-0324, dev-0357, dev-0039, dev-0072
	gives 'PMC4=0x209790f PMC6=0x201ad0f PMC5=0x200c50f PMD4,6,5' --plm 15 \
		L2I_UC_READS_MISS_DMND,SI_SCB_LIVE_REQ_HI_SELF,data_references_set1
	gives 'PMC4=0x200ef0d PMC5=0x200ef0d PMC6=0x201560d PMC8=0x200ef0d PMC7=0x200ef0d PMD4,5,6,8,7' --plm 13 \
		L2D_OZQ_ACQUIRE,L2D_OZQ_ACQUIRE,inst_chka_ldc_alat_int,L2D_OZQ_ACQUIRE,L2D_OZQ_ACQUIRE
	gives 'PMC4=0x2038306 PMC5=0x2088b06 PMC10=0x2001806 PMD4,5,10' --plm 6 -e BUS_RD_INVAL_BST_HITM_ANY \
		-e BUS_MEM_READ_BRIL_EITHER -e cpu_op_cycles_halted
	gives 'PMC4=0x2006508 PMD4' --plm 8 --unavailable 5,7,10-11,14-15,48 -e L1I_FETCH_RAB_HIT
}

# ---- features ---------------------------------------------------------------------------------

@test "encode montecito: opcode matchers" {
	# dev-0367, dev-0361
	gives 'PMC5=0x2035748 PMC4=0x204ea48 PMC34=0xb00105cbb2557 PMC35=0x12d52e3c18c PMD5,4' --plm 8 --system-wide \
		-e INST_FAILED_CHKA_LDC_ALAT_ALL -e L2D_FORCE_RECIRC_TAG_NOTOK --opcm2 match=0x12d52e3c18c,mask=0x105cbb2557,slots=mfb
	gives "PMC4=0x203f003 PMC32=0x2000122054aebca PMC33=0x12b95e4347e PMC42=0x4ac09 PMD4,$etb_pmds" --plm 3 --unavailable 35 \
		-e L2D_OPS_ISSUED_STORE --opcm1 match=0x12b95e4347e,mask=0x122054aebca,slots=none --ipear plm=9,delay=149
}

@test "encode montecito: an opcode matcher without terms matches any opcode in any slot, with match= the whole opcode in any slot" {
	# the defaults of PMC32 are all ones in mask and slots
	gives 'PMC32=0x20f01ffffffffff PMC33=0x0 PMD' --opcm1 default
	gives 'PMC32=0x20f000000000000 PMC33=0x7 PMD' --opcm1 match=7
	gives 'PMC34=0x8000000000000 PMC35=0x7 PMD' --opcm2 match=7,slots=m
}

@test "encode montecito: the instruction EAR by event, by event and option, by option alone" {
	# the event's unit mask is 0xe0: 0x43 counted, PMC37 = 8 | 0xe0 << 5 | 1 << 13
	gives 'PMC4=0x2004308 PMC37=0x3c08 PMD4,34,35' --plm 8 -e L1I_EAR_CACHE_LAT256
	# dev-0011
	gives 'PMC4=0x2004344 PMC37=0x678 PMD4,34,35' --plm 8 --system-wide -e L1I_EAR_CACHE_LAT0:plm=4 --iear mode=tlb,umask=0x33
	gives 'PMC37=0x678 PMD34,35' --plm 8 --system-wide --iear mode=1,umask=0x33
}

@test "encode montecito: the data EAR by event, by event and option, by option alone" {
	# dev-0380 without its range; dev-0044
	gives 'PMC4=0x200c808 PMC40=0x2010008 PMD4,32,33,36' --plm 8 -e DATA_EAR_CACHE_LAT8
	gives 'PMC4=0x2000608 PMC5=0x200c808 PMC6=0x201080c PMC7=0x205af08 PMC8=0x2016a08 PMC40=0x20a0008 PMC39=0x0 PMD4,5,6,7,8,32,33,36' \
		--plm 8 FP_FAILED_FCHKF,DATA_EAR_ALAT,ia64_tagged_inst_retired_ibrp1_pmc34_35:plm=12 \
		SI_WDQ_ECC_ERRORS_DBL_SELF BR_PATH_PRED2_ALL_UNKNOWNPRED_TAKEN --dear mode=cache,umask=0xa
	gives 'PMC40=0x20a0008 PMD32,33,36' --plm 8 --dear umask=0xa
}

@test "encode montecito: the trace buffer by event, by event and option, by option alone" {
	gives "PMC4=0x2001107 PMC39=0x3f07 PMD4,$etb_pmds" --plm 7 -e ETB_EVENT
	# dev-0141
	gives "PMC4=0x2001107 PMC39=0x6306 PMD4,$etb_pmds" --plm 7 -e BRANCH_EVENT --etb plm=6,tm=3,ptm=0,ppm=2,brt=1
	gives "PMC39=0x6306 PMD$etb_pmds" --plm 7 --etb plm=6,tm=all,ptm=none,ppm=right,brt=iprel
	gives "PMC39=0x3f07 PMD$etb_pmds" --plm 7 --etb default
	# the page has the data selector, bit 7
	gives "PMC39=0x3f87 PMD$etb_pmds" --plm 7 --etb ds=1
}

@test "encode montecito: the IP-EAR" {
	# dev-0270
	gives "PMC42=0xec04 PMD$etb_pmds" --plm 11 --ipear plm=4,delay=29
}

# ---- ranges -----------------------------------------------------------------------------------

@test "encode montecito: a code range in fine mode" {
	# dev-0048, dev-0023
	gives 'PMC4=0x209790c PMC38=0x2d34 PMC41=0x2078fefefeee PMC32=0xf01ffffffffff PMD4 IBR0=0xe000000000003060 IBR1=0xc000000ffff0000 IBR4=0xe00000000000dfd0 IBR5=0xc000000ffff0000' \
		--plm 12 -e L2I_UC_READS_MISS_DMND --irange 0xe000000000003060+0xaf70
	is "$(json '.irange|[.fine,.repeats]')" '[true,"0x100000000"]'
	gives 'PMC4=0x2000809 PMC5=0x2020809 PMC38=0x2d34 PMC41=0x2078fefefeee PMC32=0xf01ffffffffff PMD4,5 IBR0=0x2000000005980000 IBR1=0x9000000ffff0000 IBR4=0x2000000005980010 IBR5=0x9000000ffff0000' \
		--plm 9 IA64_INST_RETIRED_THIS,IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33 --irange 0x2000000005980010-0x2000000005980020
	is "$(json '.irange.ranges[0]|del(.plm)')" '{"start":"0x2000000005980010","end":"0x2000000005980020","soff":"0x10","eoff":"0x0","covered_start":"0x2000000005980000","covered_end":"0x2000000005980020"}'
}

@test "encode montecito: two code ranges in fine mode, and counting outside of one" {
	# dev-0018, dev-0117
	gives 'PMC4=0x200c80b PMC5=0x200c80b PMC40=0x20a000b PMC38=0x2924 PMC41=0x6078fefeeeee PMC32=0xf01ffffffffff PMD4,5,32,33,36 IBR0=0x6000000000009780 IBR1=0xb000000ffff0000 IBR4=0x600000000000f0d0 IBR5=0xb000000ffff0000 IBR2=0x2000000000000e00 IBR3=0xb000000ffff0000 IBR6=0x2000000000001850 IBR7=0xb000000ffff0000' \
		--plm 11 DATA_EAR_CACHE_LAT4096,DATA_EAR_CACHE_LAT256 --irange 0x6000000000009780+0x5960 --irange 0x2000000000000e00+0xa60
	gives 'PMC5=0x202080a PMC4=0x204ea0a PMC38=0x2d34 PMC41=0x2078fefefeee PMC32=0x10f01ffffffffff PMD5,4 IBR0=0x6000000000005e00 IBR1=0xa000000ffff0000 IBR4=0x6000000000005f30 IBR5=0xa000000ffff0000' \
		--plm 10 IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33,L2D_FORCE_RECIRC_TAG_NOTOK --irange 0x6000000000005e00-0x6000000000005f30 --irange-flags inv
	is "$(json .irange.flags)" '["inv"]'
}

@test "encode montecito: outside of a range, fine mode excludes addresses 4 GB away, and a mask excludes no other byte" {
	capture "$acrctl" encode --pmu montecito -e LOADS_RETIRED --irange 0x10000-0x10020
	has "$stdout" 'code ranges: fine mode
  addresses a multiple of 4 GB (0x100000000) away match, too;'
	capture "$acrctl" encode --pmu montecito -e LOADS_RETIRED --irange 0x10000-0x10020 --irange-flags inv
	has "$stdout" 'code ranges: fine mode, outside of what is covered
  addresses a multiple of 4 GB (0x100000000) away are not counted, either;'
	points 1 0x10000000-0x237c8ca0 'PFMLIB_ERR_IRRFLAGS (flags of the code range are missing or do not fit): code range 0x10000000 to 0x237c8ca0 is to be inverted, but its block has 0x10000000 bytes in front of it and 0x1c837360 behind, which would not be counted; use a range of 2^n bytes that begins at a multiple of them, or one in fine mode' \
		-e NOPS_RETIRED --irange 0x10000000-0x237c8ca0 --irange-flags inv
}

@test "encode montecito: code ranges by mask, of retired instructions and of prefetches" {
	# dev-0083, dev-0276
	gives 'PMC4=0x2000803 PMC5=0x2020803 PMC6=0x2010803 PMC7=0x2030803 PMC38=0xda4 PMC41=0x6078fefeeeee PMC32=0xf01ffffffffff PMD4,5,6,7 IBR0=0x600000000000cd80 IBR1=0x3ffffffffffff80 IBR2=0x600000000000ce00 IBR3=0x3ffffffffffffc0' \
		--plm 3 -e IA64_INST_RETIRED_THIS -e IA64_TAGGED_INST_RETIRED_IBRP2_PMC32_33 -e ia64_tagged_inst_retired_ibrp1_pmc34_35 \
		-e IA64_TAGGED_INST_RETIRED_IBRP3_PMC34_35 --irange 0x600000000000cd80-0x600000000000ce40 --irange-flags no-fine
	is "$(json '.irange|[.fine,.repeats]')" '[false,null]'
	gives 'PMC4=0x2005f46 PMC38=0xda6 PMC41=0x4078fefeeefe PMC32=0xf01ffffffffff PMD4 IBR2=0x2000000000100000 IBR3=0x6fffffffff80000' \
		--plm 6 --system-wide -e L1I_STRM_PREFETCHES --irange 0x200000000010f7e0+0x40000
	is "$(json '.irange.ranges[0]|[.soff,.eoff,.plm]')" '["0xf7e0","0x30820",6]'
}

@test "encode montecito: data ranges: one that takes all pairs, two, one with a code range" {
	# dev-0250, dev-0121, dev-0379
	gives 'PMC4=0x205f009 PMC5=0x205f009 PMC41=0x1e078f6f6f6f6 PMD4,5 DBR0=0xe000000000001600 DBR1=0x4ffffffffffff80 DBR2=0xe0000000000015c0 DBR3=0x4ffffffffffffc0 DBR4=0xe000000000001680 DBR5=0x4ffffffffffffc0 DBR6=0xe0000000000016c0 DBR7=0x4ffffffffffffe0' \
		--plm 9 L2D_OPS_ISSUED_OTHER,L2D_OPS_ISSUED_OTHER --drange 0xe0000000000015d0+0x10c,plm=4
	is "$(json '.drange.ranges[0]|[.soff,.eoff,.plm]')" '["0x10","0x4",4]'
	gives 'PMC4=0x200c808 PMC40=0x2040088 PMC41=0x6078fefef6f6 PMC39=0x0 PMD4,32,33,36 DBR0=0x4000001a2af00000 DBR1=0x8fffffffff00000 DBR2=0x6e2a0 DBR3=0x8fffffffffffff0' \
		--plm 8 -e DATA_EAR_TLB_VHPT --drange 0x4000001a2af00000-0x4000001a2b000000 --drange 0x6e2a0-0x6e2b0
	gives 'PMC4=0x200db48 PMC38=0x2d34 PMC41=0xe078fef6f6e6 PMC32=0xf01ffffffffff PMD4 IBR0=0xa000000100c070a0 IBR1=0x8000000ffff0000 IBR4=0xa000000100c0b190 IBR5=0x8000000ffff0000 DBR0=0xe000000001827c40 DBR1=0xbffffffffffffe0 DBR2=0xe000000001827c30 DBR3=0xbfffffffffffff0 DBR4=0xe000000001827c60 DBR5=0xbfffffffffffff0' \
		--plm 8 --system-wide -e L3_REFERENCES:active-only:always --irange 0xa000000100c070b0-0xa000000100c0b1a0 \
		--drange 0xe000000001827c30-0xe000000001827c70,plm=11
}

@test "encode montecito: a range up to the last address ends at 2^64, which does not fit 64 bits" {
	capture "$acrctl" encode --pmu montecito --json -e DATA_EAR_CACHE_LAT8 --drange 0xffffffffffffff00-0xffffffffffffffff
	is "$status" 0
	is "$(json '.drange.ranges[0]|[.eoff,.covered_end]')" '["0x1","0x10000000000000000"]'
	capture "$acrctl" encode --pmu montecito -e DATA_EAR_CACHE_LAT8 --drange 0xffffffffffffff00-0xffffffffffffffff
	has "$stdout" 'covered 0xffffffffffffff00-0x10000000000000000 (soff 0x0, eoff 0x1)'
}

# ---- refusals of the library ------------------------------------------------------------------

@test "encode montecito: a refusal by libacrpfm shows its code, reason and remedy" {
	# dev-0067, dev-0332, dev-0057, dev-0333, dev-0396, dev-0118, dev-0086, dev-0022, dev-0215, dev-0146, dev-0116, dev-0220, dev-0304
	refuses PFMLIB_ERR_NOASSIGN --plm 8 --system-wide -e CPU_OP_CYCLES_HALTED -e CPU_OP_CYCLES_HALTED
	refuses PFMLIB_ERR_NOASSIGN --plm 5 --unavailable 40 --dear mode=alat,umask=0x4
	refuses PFMLIB_ERR_DRRTOOMANY --plm 8 -e L2D_OPS_ISSUED_LFETCH -e ALAT_CAPACITY_MISS_ALL --drange 0x41a000-0x41b400 \
		--drange 0x1fb9c000-0x1fbac000 --drange 0xa00000059ca07000-0xa00000059ca07728 --drange 0xa000000100000000-0xa000000100400000,plm=4
	refuses PFMLIB_ERR_EVTINCOMP --plm 12 --dear mode=tlb,umask=0xd --etb plm=4,tm=3,ptm=3,ppm=0,brt=1
	refuses PFMLIB_ERR_INVAL --plm 8 --dear mode=5,plm=10,umask=0xf
	refuses PFMLIB_ERR_IRRALIGN --plm 8 -e L1I_STRM_PREFETCHES --irange 0x10433d8b+0xf5
	refuses PFMLIB_ERR_IRRINVAL --plm 14 -e L2I_PREFETCHES --irange 0x40000006c3f15070+0x0
	refuses PFMLIB_ERR_IRRTOOBIG --plm 10 -e L2I_PREFETCHES --irange 0x100000+0xfffffffff7f00000
	refuses PFMLIB_ERR_IRRALIGN --plm 2 -e DATA_EAR_TLB_L2DTLB --irange 0xa000000100000008-0xa000000400000020
	refuses PFMLIB_ERR_IRRTOOMANY --plm 9 DATA_EAR_CACHE_LAT256,L2D_MISSES,l2i_prefetches --irange 0xe0000000000036f0+0x6130 --irange 0x40000000068335f0+0x350
	refuses PFMLIB_ERR_IRRFLAGS --plm 8 L1I_FETCH_RAB_HIT,L1I_FILLS,flags=0x1 --irange 0x6000000000000300+0xe90,plm=4
	refuses PFMLIB_ERR_FEATCOMB --plm 14 -e ALAT_CAPACITY_MISS_INT:plm=15 --irange 0xeb8dc7ea0+0x6430
	refuses PFMLIB_ERR_FEATCOMB --plm 14 -e ENCBR_MISPRED_DETAIL_ALL_ALL_PRED --drange 0x4000000e23da2ab0+0x40
	# dev-0387, dev-0326; of dev-0036 the L1D events alone
	refuses PFMLIB_ERR_NOTSUPP --plm 8 spec_loads_natted_all:all-threads
	refuses PFMLIB_ERR_INVAL --plm 15 L2D_OZQ_CANCELS1_SIBLING_ACQ_REL,L2D_OZQ_CANCELS0_OZDATA_CONF
	refuses PFMLIB_ERR_EVTSET --plm 1 DATA_REFERENCES_SET0,DATA_REFERENCES_SET1
	refuses PFMLIB_ERR_UMASK L3_WRITES_L2_WB_HIT
	refuses PFMLIB_ERR_NOASSIGN ETB_EVENT{,,,,,,,,,,,,}
	has "$(json .error.message)" 'the number of events is 13'
	refuses PFMLIB_ERR_DRRINVAL ALAT_CAPACITY_MISS_INT --drange 0x10-0x10
}

@test "encode montecito: the library refuses values that do not fit a field" {
	local word
	refuses PFMLIB_ERR_INVAL --plm 0 ETB_EVENT
	refuses PFMLIB_ERR_INVAL --plm 0x10 ETB_EVENT
	refuses PFMLIB_ERR_INVAL ETB_EVENT:plm=16
	refuses PFMLIB_ERR_INVAL ETB_EVENT:thres=1
	refuses PFMLIB_ERR_INVAL ETB_EVENT:flags=0x10
	for word in tm=4 ptm=4 ppm=4 brt=4 ds=2 plm=0x10; do
		refuses PFMLIB_ERR_INVAL --etb $word
		is "$(json '.error|[.option,.argument,.column]')" "[\"--etb\",\"$word\",1]"
	done
	refuses PFMLIB_ERR_INVAL --ipear delay=256
	refuses PFMLIB_ERR_INVAL --iear mode=2
	refuses PFMLIB_ERR_INVAL --iear umask=0x100
	refuses PFMLIB_ERR_INVAL --iear mode=tlb,umask=0x80
	refuses PFMLIB_ERR_INVAL --dear umask=0x10
	refuses PFMLIB_ERR_INVAL --opcm1 match=0x20000000000
	refuses PFMLIB_ERR_INVAL --opcm2 mask=0x20000000000
	refuses PFMLIB_ERR_INVAL ETB_EVENT --irange 0x1000-0x2000 --irange-flags 0x10
	refuses PFMLIB_ERR_INVAL ALAT_CAPACITY_MISS_INT --drange 0x1000-0x2000 --drange-flags inv
	is "$(json '.error|[.option,.argument,.column]')" '["--drange-flags","inv",1]'
	refuses PFMLIB_ERR_INVAL ALAT_CAPACITY_MISS_INT --drange 0x1000-0x2000 --drange-flags 0x10
}

@test "encode montecito: a refusal points to the event, the term or the range at fault" {
	points 11 'ETB_EVENT,BUS_IO_SELF' "PFMLIB_ERR_FEATCOMB (these features cannot be combined): a code range does not restrict event BUS_IO_SELF at position 2 of the list; leave one of them out, or count the event in the whole program with the flag 'no-qualcheck'" \
		ETB_EVENT,BUS_IO_SELF --irange 0x1000-0x2000
	points 8 'mask=0,match=0x20000000000' 'PFMLIB_ERR_INVAL (an argument or a value in it is not valid): opcm1: opcm_match is 0x20000000000, which is too large; use 0 to 0x1ffffffffff' \
		--opcm1 mask=0,match=0x20000000000 ETB_EVENT
	points 1 '0x1001-0x2000' 'PFMLIB_ERR_IRRALIGN (the code range does not begin and end with bundles): code range 0x1001 to 0x2000 starts or ends inside a bundle; use multiples of 16' \
		IA64_INST_RETIRED --irange 0x3000-0x4000 --irange 0x1001-0x2000
	points 1 0x40 'PFMLIB_ERR_INVAL (an argument or a value in it is not valid): --plm is 0x40, but there are four levels; use u, k, uk or a number from 1 to 0xf' \
		--plm 0x40 ETB_EVENT
	points 1 0 'PFMLIB_ERR_INVAL (an argument or a value in it is not valid): --plm is 0; it must be u, k, uk or a number from 1 to 0xf' \
		--plm 0 ETB_EVENT
}

# blames COLUMN TEXT ARG...: the string or argument that is to blame, and where in it
blames()
{
	local column=$1 text=$2
	shift 2
	capture "$acrctl" encode --pmu montecito "$@"
	is "$status" 2
	is "$(tail -n 2 <<< "$stderr")" "  $text
$(printf '%*s' $((column + 2)) '^') column $column"
}

@test "encode montecito: if an event is named twice, a refusal points to the one at fault" {
	local term
	for term in thres=6 plm=0x10 flags=0x10 all-threads; do
		blames 14 NOPS_RETIRED,NOPS_RETIRED:$term NOPS_RETIRED,NOPS_RETIRED:$term
	done
	blames 14 NOPS_RETIRED,NOPS_RETIRED:u NOPS_RETIRED,NOPS_RETIRED:u --irange 0x1000-0x2000
	blames 14 L3_INSERTS:M,L3_INSERTS L3_INSERTS:M,L3_INSERTS
	blames 28 FE_BUBBLE_ALL:no-qualcheck,FE_BUBBLE_ALL FE_BUBBLE_ALL:no-qualcheck,FE_BUBBLE_ALL --irange 0x1000-0x2000
	blames 14 NOPS_RETIRED,L1I_FILLS NOPS_RETIRED,L1I_FILLS --irange 0x1000-0x2000
	blames 14 NOPS_RETIRED,IA64_TAGGED_INST_RETIRED_IBRP1... NOPS_RETIRED,IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35 \
		--irange 0x1000-0x2000 --irange-flags no-fine
	blames 22 DATA_REFERENCES_SET0,DATA_REFERENCES_SET1 DATA_REFERENCES_SET0,DATA_REFERENCES_SET1
	capture "$acrctl" encode --pmu montecito --json -e NOPS_RETIRED -e NOPS_RETIRED:thres=6
	is "$(json '.error|[.column,.string]')" '[1,1]'
}

@test "encode montecito: of several ranges and flags, a refusal points to the one at fault and to its term" {
	blames 17 0x30000-0x31000,plm=0x10 NOPS_RETIRED --irange 0x1000-0x2000 --irange 0x30000-0x31000,plm=0x10
	blames 13 0x5000+0x10,plm=0x20 LOADS_RETIRED --drange 0x1000-0x2000 --drange 0x3000+0x10,plm=1 --drange 0x5000+0x10,plm=0x20
	blames 1 0x10 NOPS_RETIRED --irange 0x1000-0x2000 --irange-flags inv --irange-flags 0x10
	blames 9 no-fine,0x10 NOPS_RETIRED --irange 0x1000-0x2000 --irange-flags inv --irange-flags no-fine,0x10
	blames 8 demand,inv LOADS_RETIRED --drange 0x1000-0x2000 --drange-flags no-fine --drange-flags demand,inv
	capture "$acrctl" encode --pmu montecito --json LOADS_RETIRED --drange 0x1000-0x2000 --drange 0x30000-0x31000,plm=0x10
	is "$(json '.error|[.option,.argument,.column]')" '["--drange","0x30000-0x31000,plm=0x10",17]'
}

@test "encode montecito: a refusal points to unknown modes and to conflicting features" {
	blames 1 mode=2 --iear mode=2
	blames 9 umask=1,mode=3 --dear umask=1,mode=3
	blames 1 default ETB_EVENT --ipear default
	blames 1 default --etb default --dear mode=tlb
	blames 14 NOPS_RETIRED,ETB_EVENT NOPS_RETIRED,ETB_EVENT --dear mode=tlb
}

@test "encode montecito: invalid privilege levels, and ranges that no event counts, have a remedy that works" {
	capture "$acrctl" encode --pmu montecito --json --plm 0x10 NOPS_RETIRED
	is "$(json .error.message)" 'PFMLIB_ERR_INVAL (an argument or a value in it is not valid): --plm is 0x10, but there are four levels'
	capture "$acrctl" encode --pmu montecito --json --irange 0x1000-0x2000 --irange-flags no-fine
	is "$(json .error.hint)" 'add IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33'
	capture "$acrctl" encode --pmu montecito --json --irange 0x1010-0x2000 --irange-flags no-fine IA64_INST_RETIRED
	has "$(json .error.message)" 'the code ranges take 3 pairs of debug registers'
	is "$(json .error.hint)" 'add IA64_TAGGED_INST_RETIRED_IBRP1_PMC34_35, or use larger and better aligned ranges'
}

# ---- refusals of the command line -------------------------------------------------------------

@test "encode montecito: malformed events are refused" {
	points 1 IA64_INST_RETIRD "there is no event 'IA64_INST_RETIRD'; did you mean 'IA64_INST_RETIRED'?" IA64_INST_RETIRD
	points 11 ETB_EVENT,, "an event is missing; 'acrctl list --pmu montecito' shows them all" ETB_EVENT,,
	points 1 nonsense "there is no event 'nonsense'; 'acrctl list --pmu montecito' shows them all" nonsense
	points 28 ETB_EVENT,L3_READS_ALL_ALL:T "the event has no unit mask 'T'; its unit masks are I, S, E and M" \
		ETB_EVENT,L3_READS_ALL_ALL:T
	points 11 ETB_EVENT:tres=1 "there is no term 'tres'; did you mean 'thres'?" ETB_EVENT:tres=1
	points 14 NOPS_RETIRED:no-qualcheck=1 "'no-qualcheck' takes no value; write it without '='" NOPS_RETIRED:no-qualcheck=1
	points 14 NOPS_RETIRED,always= "'always' takes no value; write it without '='" NOPS_RETIRED,always=
	points 17 ETB_EVENT,thres=x "'x' is not a number; write it with decimal digits, or hexadecimal ones after 0x" ETB_EVENT,thres=x
	points 19 ETB_EVENT,thres=0,thres=0 "the event's threshold is given twice; leave one of the two out" ETB_EVENT,thres=0,thres=0
	points 13 ETB_EVENT:u:plm=8 "the event's privilege levels are given twice; leave one of the two out" ETB_EVENT:u:plm=8
	points 1 '{ETB_EVENT}' 'braces make groups, and all events of Montecito are counted at the same time anyway; leave the braces out' '{ETB_EVENT}'
	points 1 glm::ETB_EVENT "'glm::' names an event of another CPU than montecito; use an event of montecito, or leave out --pmu montecito" glm::ETB_EVENT
}

@test "encode montecito: codes of events are decimal, hexadecimal or octal, as pfm_find_event() reads them" {
	local code
	for code in 18 0x12 022; do
		capture "$acrctl" encode --pmu montecito --json $code
		is "$(json '.events[0].name')" CPU_OP_CYCLES_ALL
	done
	points 1 08 "there is no event '08'; 'acrctl list --pmu montecito' shows them all" 08
}

@test "encode montecito: a refusal names the counter that is missing and the event that holds it, even of two with one name" {
	local code='PFMLIB_ERR_NOASSIGN (no free register for the events or features)'
	points 22 CPU_OP_CYCLES_HALTED,CPU_OP_CYCLES_HALTED "$code: event CPU_OP_CYCLES_HALTED at position 2 of the list needs PMC10, which event CPU_OP_CYCLES_HALTED at position 1 holds; measure one of them in another run" \
		CPU_OP_CYCLES_HALTED,CPU_OP_CYCLES_HALTED
	points 1 CPU_OP_CYCLES_HALTED "$code: event CPU_OP_CYCLES_HALTED at position 1 of the list needs PMC10, which --unavailable excludes; allow it, or leave the event out" \
		CPU_OP_CYCLES_HALTED --unavailable 10
	points 14 NOPS_RETIRED,NOPS_RETIRED "$code: event NOPS_RETIRED at position 2 of the list needs one of PMC4 to PMC15, of which other events hold 1 and --unavailable excludes 11; measure it or one of those events in another run, or allow more counters" \
		NOPS_RETIRED,NOPS_RETIRED --unavailable 4-14
	points 22 L2D_OZQ_CANCELS0_ACQ,L2D_OZQ_CANCELS0_ACQ 'PFMLIB_ERR_INVAL (an argument or a value in it is not valid): event L2D_OZQ_CANCELS0_ACQ at position 2 of the list is the second one of the L2D_OZQ_CANCELS families, of which there can be one; measure it in another run' \
		L2D_OZQ_CANCELS0_ACQ,L2D_OZQ_CANCELS0_ACQ
	# six that have PMC4 to PMC9 alone are all; an event of L2D has one of them before
	capture "$acrctl" encode --pmu montecito BUS_ALL_ANY,BUS_ALL_ANY,BUS_ALL_ANY,BUS_ALL_ANY,BUS_ALL_ANY,BUS_ALL_ANY,L2D_BAD_LINES_SELECTED_ANY
	has "$stderr" 'event BUS_ALL_ANY at position 6 of the list needs one of PMC4 to PMC9, of which other events hold 6 and --unavailable excludes 0; measure it or one of those events in another run
'
}

@test "encode montecito: a threshold that is too high is refused with the valid ones" {
	points 1 NOPS_RETIRED:thres=10 'PFMLIB_ERR_INVAL (an argument or a value in it is not valid): event NOPS_RETIRED at position 1 of the list occurs up to 6 times in a cycle, which is never more than threshold 10; thresholds of this event are 0 to 5' \
		NOPS_RETIRED:thres=10
}

@test "encode montecito: a range of 0 to 0, which would hide the following ones, is refused" {
	local message='the range from 0 to 0 is empty; the end is the first byte after it; leave the option out for no range'
	points 1 0-0 "--irange: $message" ETB_EVENT --irange 0-0
	points 1 0+0 "--drange: $message" LOADS_RETIRED --drange 0x1000-0x2000 --drange 0+0 --drange 0x4000-0x5000
	points 1 0-0 "--drange: $message" LOADS_RETIRED --drange 0-0 --drange 0x1000-0x2000
	points 1 0x0-0x0,plm=u "--irange: $message" LOADS_RETIRED --irange 0x0-0x0,plm=u --irange 0x1000-0x2000
}

@test "encode montecito: privilege levels of 0 are refused wherever they would mean the default" {
	local message="0 is no privilege level; leave plm= out for those of --plm, or write u, k, uk or a number from 1 to 0xf"
	points 18 NOPS_RETIRED:plm=0 "$message" NOPS_RETIRED:plm=0
	points 18 NOPS_RETIRED,plm=0x0 "$message" NOPS_RETIRED,plm=0x0
	points 5 plm=0 "--iear: $message" --iear plm=0
	points 5 plm=0 "--dear: $message" --dear plm=0
	points 5 plm=0 "--etb: $message" --etb plm=0
	points 13 delay=1,plm=0 "--ipear: $message" --ipear delay=1,plm=0
	points 19 0x1000-0x2000,plm=0 "--irange: $message" NOPS_RETIRED --irange 0x1000-0x2000,plm=0
	points 19 0x1000-0x2000,plm=0 "--drange: $message" LOADS_RETIRED --drange 0x1000-0x2000,plm=0
}

@test "encode montecito: malformed options are refused" {
	points 1 tn=3 "--etb: there is no term 'tn'; its terms are plm=, ds=, tm=, ptm=, ppm=, brt=" --etb tn=3
	points 11 plm=uk,tm=non "--etb: there is no 'non'; did you mean 'none'?" --etb plm=uk,tm=non
	points 5 'brt=256' "--etb: '256' is too large; the largest number here is 0xff" --etb brt=256
	points 8 tm=all,tm=all '--etb: tm= is given twice; leave one of the two out' --etb tm=all,tm=all
	points 8 slots=mx "--opcm1: there is no slot 'x'; slots are letters of mifb (memory, integer, floating point, branch), or none" --opcm1 slots=mx
	points 7 0x1000 '--irange: the range has no end; write START-END or START+SIZE, like 0x1000-0x2000' --irange 0x1000
	points 8 0x1000-y "--drange: 'y' is not a number; write it with decimal digits, or hexadecimal ones after 0x" --drange 0x1000-y
	points 6 mode=alat "--iear: there is no 'alat'; there are cache, tlb, and their numbers" --iear mode=alat
	points 14 umask=1,mode=alat "--iear: there is no 'alat'; there are cache, tlb, and their numbers" --iear umask=1,mode=alat
	points 20 0xfffffffffffffff0+0x10 '--irange: the range ends beyond the last address; no range can start there; the last one ends at 0xfffffffffffffff0' \
		--irange 0xfffffffffffffff0+0x10
	points 20 0xffffffffffffffe0+0x20 '--irange: the range ends beyond the last address; the largest size from there is 0x10' --irange 0xffffffffffffffe0+0x20
	points 20 0xfffffffffffffff0+0x10 '--drange: the range ends beyond the last address; the largest size from there is 0xf' --drange 0xfffffffffffffff0+0x10
	points 1 0-16 '--drange: more than 4 ranges; merge adjacent ranges' --drange 1-2 --drange 3-4 --drange 5-6 --drange 7-8 --drange 0-16
	points 1 demnd "--irange-flags: there is no 'demnd'; did you mean 'demand'?" --irange 0-16 --irange-flags demnd
	points 1 inv '--irange-flags: these flags have no range; add one with --irange START-END' --irange-flags inv --drange 1-2
	points 1 default '--ipear: it is given twice; leave one of the two out' --ipear delay=1 --ipear default
	points 3 7-4 '--unavailable: 4 is less than 7; write the smaller number first' --unavailable 7-4
	points 3 4,512 "--unavailable: '512' is too large; the largest number here is 0x1ff" --unavailable 4,512
}

@test "encode montecito: --json names the option or string at fault" {
	capture "$acrctl" encode --pmu montecito --json ETB_EVENT --etb tn=3
	is "$status" 2
	is "$stderr" ''
	is "$(json '.error|keys_unsorted')" '["code","column","message","hint","option","argument"]'
	is "$(json '.error|[.code,.column,.option,.argument]')" '["unknown-term",1,"--etb","tn=3"]'
	capture "$acrctl" encode --pmu montecito --json ETB_EVENT BUS_IO_SELF --irange 0x1000-0x2000
	is "$(json '.error|keys_unsorted')" '["code","column","message","hint","string","ret","meaning"]'
	is "$(json '.error|[.code,.column,.string,.ret]')" '["PFMLIB_ERR_FEATCOMB",1,1,"-9"]'
}

@test "encode montecito: options without meaning there, and its options for other CPUs, are refused" {
	capture "$acrctl" encode --pmu montecito -c 100 ETB_EVENT
	is "$status" 2
	is "$stderr" 'acrctl: encode: -c cannot be used for montecito: its registers hold no period; leave it out'
	capture "$acrctl" encode --pmu montecito --events /nowhere ETB_EVENT
	is "$status" 2
	is "$stderr" 'acrctl: encode: --events cannot be used for montecito: its events are built in; leave it out'
	for option in --plm=8 --system-wide --unavailable=4 --opcm1=default --opcm2=default --iear=default --dear=default \
		--etb=default --ipear=default --irange=0-16 --drange=0-16 --irange-flags=inv --drange-flags=inv; do
		capture "$acrctl" encode --pmu goldmont cycles "$option"
		is "$status" 2
		is "$stderr" "acrctl: encode: ${option%%=*} is only for montecito; leave it out, or choose that CPU with --pmu montecito"
	done
	capture "$acrctl" encode --pmu montecito
	is "$status" 2
	is "$stderr" "acrctl: encode: no event is given; name some, like 'CPU_OP_CYCLES_ALL', or an option that works without any, such as --etb"
}

# ---- the CPU's name ---------------------------------------------------------------------------

@test "encode montecito: short name, either case, CPUID string and prefix of an event select it" {
	local want='PMC4=0x20ca109 PMD4'
	gives "$want" montecito::SI_WRITEQ_INSERTS_NEWB_EITHER
	capture "$acrctl" encode --json mont::SI_WRITEQ_INSERTS_NEWB_EITHER
	is "$(json .pmu) $(registers)" "montecito $want"
	capture "$acrctl" encode --pmu Mont --json SI_WRITEQ_INSERTS_NEWB_EITHER
	is "$(json .pmu) $(registers)" "montecito $want"
	ACRCTL_CPUID=GenuineIntel-32-1-7 capture "$acrctl" encode --json SI_WRITEQ_INSERTS_NEWB_EITHER
	is "$(json .pmu) $(registers)" "montecito $want"
	# --pmu stands above the environment, which stands above events
	ACRCTL_CPUID=GenuineIntel-32-1-7 capture "$acrctl" encode --pmu goldmont --json cycles
	is "$(json .pmu)" goldmont
	ACRCTL_CPUID=GenuineIntel-6-5C-0 capture "$acrctl" encode montecito::ETB_EVENT
	is "$status" 2
}

@test "encode montecito: --pmu list and help name it, and a misspelled name gets a suggestion" {
	local word
	for word in list help; do
		capture "$acrctl" encode --pmu $word
		is "$status" 0
		has "$stdout" 'montecito         mont     dual-core Itanium 2 only encoded'
		is "$(grep -c '^montecito' <<< "$stdout")" 1
	done
	capture "$acrctl" encode --pmu list --json
	is "$(json '.pmus[]|select(.name == "montecito")|[.short_name,.core,.acr]')" '["mont","dual-core Itanium 2",false]'
	capture "$acrctl" encode --pmu montecto x
	is "$status" 2
	is "$stderr" "acrctl: encode: there is no CPU 'montecto'; did you mean 'montecito'?"
}

@test "encode montecito: other commands and other CPUs refuse its events and its name" {
	local command
	for command in record stat; do
		capture "$acrctl" $command --pmu montecito true
		is "$status" 2
		is "$stderr" "acrctl: $command: there is no option '--pmu' here, since '$command' works with the CPU of this machine, or that of a recording; other CPUs are for 'acrctl encode' and 'acrctl list', which is all that can be done for montecito"
		capture "$acrctl" $command -e montecito::ETB_EVENT true
		is "$status" 2
		is "$stderr" "acrctl: $command: events of montecito can be encoded but not counted, nor mixed with those of other CPUs; 'acrctl encode --pmu montecito' shows their registers
  montecito::ETB_EVENT
  ^ column 1"
	done
	capture "$acrctl" encode --pmu goldmont -e cycles,mont::ETB_EVENT
	is "$status" 2
	has "$stderr" '         ^ column 8'
}

# ---- output -----------------------------------------------------------------------------------

everything=(--system-wide --plm 8 DATA_EAR_CACHE_LAT8,ALAT_CAPACITY_MISS_INT,thres=1 --irange 0x1000-0x2000 --drange 0x2000-0x3010
	--opcm1 match=1,slots=mi --iear mode=tlb --etb default)

@test "encode montecito: text and JSON have the same events, registers, fields and ranges" {
	capture "$acrctl" encode --pmu montecito --json "${everything[@]}"
	is "$status" 0
	json . > "$BATS_TEST_TMPDIR/json"
	capture "$acrctl" encode --pmu montecito "${everything[@]}"
	is "$status" 0
	has "$stdout" 'code ranges: fine mode'
	has "$stdout" 'data ranges: by mask'
	printf '%s\n' "$stdout" > "$BATS_TEST_TMPDIR/text"
	capture python3 "$BATS_TEST_DIRNAME/montecito_text.py" "$BATS_TEST_TMPDIR/json" "$BATS_TEST_TMPDIR/text"
	is "$status $stdout" '0 alike'
}

@test "encode montecito: the fields of a register and its other bits make up its value" {
	capture "$acrctl" encode --pmu montecito --json "${everything[@]}"
	# jq has no integers of 64 bits: bit by bit
	python3 - "$BATS_TEST_TMPDIR/stdout" <<-'END'
		import json, sys
		out = json.load(open(sys.argv[1]))
		regs = out['pmcs'] + out['irange']['ibrs'] + out['drange']['dbrs']
		assert {r['reg'] for r in out['pmcs']} == {4, 5, 32, 33, 37, 38, 39, 40, 41}
		for r in regs:
		    value = int(r['other_bits'], 16)
		    for f in r['fields']:
		        field = int(f['value'], 16) << f['bit']
		        assert field >> f['bit'] < 1 << f['width'] and not value & field, (r['reg'], f)
		        value |= field
		    assert value == int(r['value'], 16), r['reg']
	END
}

@test "encode montecito: JSON has its members in the documented order" {
	capture "$acrctl" encode --pmu montecito --json "${everything[@]}"
	is "$(json keys_unsorted)" '["schema","pmu","system_wide","events","pmcs","pmds","irange","drange"]'
	is "$(json '.events[1]')" '{"name":"ALAT_CAPACITY_MISS_INT","plm":8,"thres":1,"flags":[],"pmc":5,"pmd":5}'
	is "$(json '.pmcs[0]|keys_unsorted')" '["reg","addr","alt_addr","value","layout","what","fields","other_bits"]'
	is "$(json '.pmcs[0].fields[0]')" '{"name":"pmc_plm","bit":0,"width":4,"value":"0x8","meaning":"user"}'
	is "$(json '.pmds[0]|keys_unsorted')" '["reg","addr","alt_addr","layout","what","fields"]'
	is "$(json '.pmds[0].fields[1]')" '{"name":"pmd_sxt47","bit":47,"width":17}'
	is "$(json '.irange|keys_unsorted')" '["fine","repeats","flags","ranges","ibrs"]'
	is "$(json '.drange|keys_unsorted')" '["ranges","dbrs"]'
	capture "$acrctl" encode --pmu montecito --json ETB_EVENT
	is "$(json '[.irange,.drange]')" '[null,null]'
}

@test "encode montecito: fields have the names and bits of the header's unions" {
	# Documentation of the registers: bits of each
	capture "$acrctl" encode --pmu montecito --json "${everything[@]}" --opcm2 default
	is "$(json '.pmcs[]|select(.reg == 38)|[.layout]+[.fields[]|"\(.name) \(.bit)+\(.width)"]|join(" ")')" \
		'pmc38_mont_reg iarc_ig_ibrp0 1+1 iarc_ig_ibrp1 4+1 iarc_ig_ibrp2 7+1 iarc_ig_ibrp3 10+1 iarc_fine 13+1'
	is "$(json '.pmcs[]|select(.reg == 41)|[.layout]+[.fields[]|"\(.name) \(.bit)+\(.width)"]|join(" ")')" \
		'pmc41_mont_reg darc_cfg_dtag0 3+2 darc_cfg_dtag1 11+2 darc_cfg_dtag2 19+2 darc_cfg_dtag3 27+2 darc_ena_dbrp0 45+1 darc_ena_dbrp1 46+1 darc_ena_dbrp2 47+1 darc_ena_dbrp3 48+1'
	is "$(json '.pmcs[]|select(.reg == 37)|[.layout]+[.fields[]|"\(.name) \(.bit)+\(.width)"]|join(" ")')" \
		'pmc37_mont_tlb_reg iear_plm 0+4 iear_pm 4+1 iear_umask 5+7 iear_ct 12+2'
	is "$(json '.pmcs[]|select(.reg == 34)|[.layout]+[.fields[]|"\(.name) \(.bit)+\(.width)"]|join(" ")')" \
		'pmc32_34_mont_reg opcm_mask 0+41 opcm_b 48+1 opcm_f 49+1 opcm_i 50+1 opcm_m 51+1 opcm_inv 56+1 opcm_ig_ad 57+1'
	is "$(json '.pmcs[]|select(.reg == 40)|[.fields[]|"\(.name) \(.bit)+\(.width)"]|join(" ")')" \
		'dear_plm 0+4 dear_pm 6+1 dear_mode 7+2 dear_umask 16+4 dear_ism 24+2'
	capture "$acrctl" encode --pmu montecito --json --iear default --ipear default
	is "$(json '.pmcs[]|select(.reg == 37)|[.layout]+[.fields[]|"\(.name) \(.bit)+\(.width)"]|join(" ")')" \
		'pmc37_mont_cache_reg iear_plm 0+4 iear_pm 4+1 iear_umask 5+8 iear_ct 13+1'
	is "$(json '.pmcs[]|select(.reg == 42)|[.fields[]|"\(.name) \(.bit)+\(.width)"]|join(" ")')" \
		'ipear_plm 0+4 ipear_pm 6+1 ipear_mode 8+3 ipear_delay 11+8'
	is "$(json '.pmds[]|select(.reg == 39 or .reg == 48)|.layout')" 'pmd39_ipear_mont_reg
pmd48_63_ipear_mont_reg'
}

# ---- all recorded calls -----------------------------------------------------------------------

@test "encode montecito: every recorded call that a command line can express gives its registers" {
	command -v python3 > /dev/null || skip "python3 is not installed"
	capture python3 "$BATS_TEST_DIRNAME/montecito_vectors.py" "$acrctl" "$root/selftests/montecito/vectors.jsonl" \
		"$root/Documentation/montecito.rst"
	is "$status" 0
	# of 400; what cannot be written is a NULL, a value or a flag that no option has, or an event that is none
	is "$stdout" 'alike 305, decided otherwise 67, wrong 0, without words 28'
}

# ---- documentation ----------------------------------------------------------------------------

@test "encode montecito: the output in the documentation is real" {
	local doc=$root/Documentation/montecito-acrctl.rst
	capture "$acrctl" encode --pmu montecito --plm u -e L2D_MISSES --irange 0x4000000000001010-0x4000000000002000
	is "$(awk '/^  \$ / { on = /0x4000000000001010-/; next } on && /^[^ ]/ { exit } on { sub("^  ", ""); print }' "$doc")" "$stdout"
	capture "$acrctl" encode --pmu montecito --plm u -e L2D_MISSES --irange 0x4000000000001008-0x4000000000002000
	is "$(awk '/^  \$ / { on = /0x4000000000001008-/; next } on { sub("^  ", ""); print }' "$doc" | sed '/^$/,$d')" "$stderr"
}

@test "encode montecito: the help has every option, and the documentation explains each" {
	local option
	capture "$acrctl" encode --help
	has "$stdout" "'acrctl encode --pmu montecito --help'"
	[[ $stdout != *--irange* ]]
	capture "$acrctl" encode --pmu montecito --help
	for option in plm system-wide unavailable opcm1 opcm2 iear dear etb ipear irange drange irange-flags drange-flags; do
		[[ $stdout =~ --${option/2/1}[^-] ]] || [ $option = opcm2 ]
		grep -q "^\`\`--$option\|, \`\`--$option" "$root/Documentation/montecito-acrctl.rst"
		grep -q "${option//-/\\\\-}" "$root/Documentation/man/acrctl-montecito.1"
	done
}
