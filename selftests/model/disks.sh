# SPDX-License-Identifier: GPL-2.0-only
# The guest's file systems as images in its memory, so that it never waits for this machine, which has another time; sourced by boot.sh.
# shellcheck shell=bash disable=SC2154 # variables of boot.sh

disks=$BUILD/disks

# make_image LABEL DIR IMAGE MIB: an image of a directory with at least MIB to spare. For the same content the guest sees no difference.
make_image()
{
	local label=$1 dir=$2 image=$3 mib=$4 id=5ca1ab1e-0000-4000-8000-000000000000 files

	files=$(find "$dir" | wc -l)
	# A file takes whole blocks, and QEMU wants whole pieces of memory.
	mib=$((($(du -sm --apparent-size "$dir" | cut -f 1) + files / 200 + mib + 127) / 128 * 128))
	rm -f "$image"
	mke2fs -q -t ext4 -O ^has_journal,^metadata_csum,^resize_inode -m 0 -b 4096 -N $((files + 2000)) -L "$label" -U "$id" \
		-E "root_owner=0:0,lazy_itable_init=1,hash_seed=$id" -d "$dir" "$image" "${mib}M" > "$run/$label.log" 2>&1 ||
		die "no image of $dir, see $run/$label.log"
}

# What the guest may need of the project, as paths in it
project_parts()
{
	local build=${BUILD#"$project"/} part

	cd "$project" || exit
	for part in * "$build"/{acrctl,examples,lib*,model/accept,perf-*,selftests,workloads} "${kernel_dir#"$project"/}"; do
		[ "$part" = "$build" ] || [ ! -e "$part" ] || echo "$part"
	done
}

# Makes $disks/root.ext4 unless it is newer than the last package of the root.
image_of_root()
{
	[ ! "$disks/root.ext4" -nt "$root_dir/var/lib/dpkg/status" ] || return 0
	make_image root "$root_dir" "$disks/new" 1
	mv "$disks/new" "$disks/root.ext4"
}

# Makes an image of the project unless it is newer than everything in there.
image_of_project()
{
	local image=$1 stage=$disks/stage parts

	mapfile -t parts < <(project_parts)
	if [ -e "$image" ] && [ -z "$(cd "$project" && find "${parts[@]}" -newer "$image" -print -quit)" ]; then return; fi
	# One may be left of a boot that was stopped. The disk of the run goes to build/run.
	rm -rf "$stage"
	mkdir -p "$stage/${BUILD#"$project"/}/run"
	(cd "$project" && cp -al --parents "${parts[@]}" "$stage")
	make_image project "$stage" "$disks/new" 1
	# What changes in the meantime is newer.
	touch -r "$stage" "$disks/new"
	rm -rf "$stage"
	mv "$disks/new" "$image"
}

# add_disk IMAGE SHARE: SHARE=off loses what the guest writes.
add_disk()
{
	local id=disk${#share_args[@]}

	share_args+=(-object "memory-backend-file,id=$id,mem-path=$1,share=$2,size=$(stat -c %s "$1")" -device "nvdimm,memdev=$id")
}

# Sets `share_args`, as start_shares() does.
start_disks()
{
	local lock project_image

	command -v mke2fs debugfs > /dev/null || die "no mke2fs and debugfs: install e2fsprogs"
	project_image=$disks/project-$(kernel_name "$kernel_dir").ext4
	mkdir -p "$disks" "$run/disk/$name/out"
	exec {lock}> "$disks/lock"
	flock "$lock"
	image_of_root
	image_of_project "$project_image"
	exec {lock}>&-
	cp "$run/job.sh" "$run/disk/$name/"
	make_image run "$run/disk" "$run/run.ext4" 200
	rm -r "$run/disk"
	share_args=()
	add_disk "$disks/root.ext4" off
	add_disk "$project_image" off
	add_disk "$run/run.ext4" on
}

# Copies what the guest wrote to its output directory to $run/out, which debugfs would not write into.
collect_output()
{
	rm -r "$run/out"
	debugfs -R "rdump /$name/out $run" "$run/run.ext4" > "$run/run.log" 2>&1
	# of a guest that died early
	mkdir -p "$run/out"
	touch "$run/out/job.log"
}
