// SPDX-License-Identifier: GPL-2.0-only
// Reads a profile as speedscope does, by the importer in its package, and prints what it finds as JSON:
// [{ name, unit, total, stacks: [[[frame, ...], weight], ...] }, ...]
// usage: node speedscope.js PACKAGES FILE
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [packages, file] = process.argv.slice(2);
const release = path.join(packages, "node_modules/speedscope/dist/release");

// A page for the bundles, which are made for browsers.
const page = { TextDecoder, TextEncoder, URL, setTimeout, atob, btoa };
page.window = page.self = page;
page.console = { log: console.error, warn: console.error, error: console.error };
vm.createContext(page);

// load PREFIX: reads a bundle, but runs none of the modules with which it starts.
function load(prefix) {
	const name = fs.readdirSync(release).find((f) => f.startsWith(prefix) && f.endsWith(".js"));
	const text = fs.readFileSync(path.join(release, name), "utf8");
	const start = /,\{\},\[[^\]]*\], *null\)/;

	if (!start.test(text))
		throw new Error(`${name} has an unknown form`);
	vm.runInContext(text.replace(start, ",{},[],null)"), page);
	return text;
}

// stacksOf PROFILE: each stack with its weight, in the order of the profile
function stacksOf(profile) {
	const stacks = [];
	const stack = [];
	let last = 0;
	const until = (at) => {
		if (at > last)
			stacks.push([stack.slice(), at - last]);
		last = at;
	};

	profile.forEachCall(
		(node, at) => { until(at); stack.push(node.frame.name); },
		(node, at) => { until(at); stack.pop(); });
	return stacks;
}

async function main() {
	load("speedscope.");
	const text = load("import.");
	// of the modules, each "id":[function(...){...}], the one that exports the importer
	const before = text.slice(0, text.indexOf("exports.importProfilesFromArrayBuffer="));
	const ids = [...before.matchAll(/"([^"]{4})":\[function\(require,module,exports\)/g)];
	const importer = page.parcelRequire(ids[ids.length - 1][1]);
	const bytes = new Uint8Array(fs.readFileSync(file));
	const group = await importer.importProfilesFromArrayBuffer(path.basename(file), bytes.buffer);

	if (!group)
		throw new Error(`${file} has a form that speedscope does not know`);
	console.log(JSON.stringify(group.profiles.map((p) => ({
		name: p.getName(), unit: p.getWeightUnit(), total: p.getTotalWeight(), stacks: stacksOf(p),
	}))));
}

main().catch((e) => {
	console.error(e);
	process.exit(1);
});
