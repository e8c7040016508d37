# SPDX-License-Identifier: GPL-2.0-only
# What tests of pages in Chromium need; sourced by them.
# shellcheck shell=bash

# browser_python: prints the python that drives Chromium, or why there is none, and returns 1 then
browser_python()
{
	local python

	if [ ! -x /usr/bin/chromium ] || [ ! -x /usr/bin/chromedriver ]; then
		echo "chromium and chromium-driver are not installed"
		return 1
	fi
	# Debian's packages are of Debian's python.
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import selenium' 2> /dev/null || continue
		echo "$python"
		return
	done
	echo "python3-selenium is not installed"
	return 1
}
