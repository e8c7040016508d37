# SPDX-License-Identifier: GPL-2.0-only
# What the tests of acrctl push and record --push share: servers, certificates, profiles.
# shellcheck shell=bash disable=SC2154 # of helpers.bash

# requires_push: what the server and the checks are made with, and what sends
requires_push()
{
	local tool

	for tool in jq openssl python3; do
		command -v $tool > /dev/null || skip "$tool is not installed"
	done
	python3 -c 'import ctypes; ctypes.CDLL("libcurl-gnutls.so.4")' 2> /dev/null || skip "libcurl-gnutls is not installed"
}

# serve [OPTION]...: starts a server in ./server; its port is then in $port
serve()
{
	mkdir -p server
	rm -f server/port
	python3 "$root/selftests/cli/push_server.py" server "$@" 2> server/errors 3>&- &
	server=$!
	wait_until test -e server/port
	port=$(cat server/port)
	url=http://127.0.0.1:$port
}

# end_server: so that nobody listens on its port
end_server()
{
	[ -z "$server" ] || { kill "$server" 2> /dev/null; wait "$server" 2> /dev/null; } || true
	server=
}

# profile FILE BYTES LETTER: something to send
profile() { head -c "$2" /dev/zero | tr '\0' "$3" > "$1"; }

# push ARGUMENT...: sends files to $url
push() { "$acrctl" push --push "$url" --from 1700000000 --until 1700000010 "$@"; }

# push_start ARGUMENT...: the same in the background: $pusher, and its process that sends, $sender
push_start()
{
	"$acrctl" push --push "$url" --from 1700000000 --until 1700000010 --push-finish 1h "$@" > output 2>&1 3>&- &
	pusher=$!
	wait_until pgrep -P $pusher
	sender=$(pgrep -P $pusher)
}

# push_kill: ends both; then the queue is free
push_kill()
{
	kill -KILL "$pusher" "$sender"
	wait "$pusher" || true
	wait_until flock -n acrctl-push.queue/lock true
}

requests() { cat server/requests 2> /dev/null; }
nr_requests() { requests | wc -l; }

# has_requests NR: at least so many came
has_requests() { [ "$(nr_requests)" -ge "$1" ]; }

# waiting [DIR]: number of profiles in a queue
waiting() { find "${1:-acrctl-push.queue}" -maxdepth 1 -name '*.push' | wc -l; }

# rejected [DIR]: number of those that were set aside
rejected() { find "${1:-acrctl-push.queue}/rejected" -name '*.push' | wc -l; }

# push_until TEXT ARGUMENT...: sends until this is printed
push_until()
{
	push_start "${@:2}"
	wait_until grep -q -- "$1" output || { cat output; return 1; }
	push_kill
	cat output
}

# certificate FILE SUBJECT_ALT_NAME [END [NAME]]: key and certificate that signs itself, until 2049 or this time
certificate()
{
	{
		openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=${4:-test}" \
			-addext "subjectAltName=$2"
		printf '%s\n' '[ca]' default_ca=one '[one]' database=$1.index new_certs_dir=. default_md=sha256 policy=any rand_serial=yes \
			copy_extensions=copy '[any]' commonName=optional > "$1.cnf"
		: > "$1.index"
		openssl ca -batch -selfsign -notext -config "$1.cnf" -keyfile "$1.key" -in "$1.csr" -startdate 20200101000000Z \
			-enddate "${3:-20491231000000Z}" -out "$1.crt"
	} > "$1.log" 2>&1 || { cat "$1.log"; return 1; }
	cat "$1.key" "$1.crt" > "$1"
}
