// SPDX-License-Identifier: GPL-2.0-only
// The samples of the page, and adding up those that are chosen.

const KERNEL = 1, INLINED = 2, GUEST = 4, COMMAND = 8, MERGED = 16;

// Lists in groups of as many.
function eachGroup(list, size, take)
{
	const groups = [];

	for (let i = 0; i < list.length; i += size)
		groups.push(take(...list.slice(i, i + size)));
	return groups;
}

// A list for each bin and place; the form is described where acrctl writes it.
function readCells(lists, places, events)
{
	const bin = [], place = [], node = [], samples = [], period = [];

	for (const list of lists) {
		const event = events[places[list[1]].event];
		let at = 0;

		for (let i = 2; i < list.length;) {
			const step = list[i++], count = step < 0 ? list[i++] : 1;

			at += Math.abs(step);
			bin.push(list[0]);
			place.push(list[1]);
			node.push(at);
			samples.push(count);
			period.push(event.period === null ? list[i++] : count * event.period);
		}
	}
	return { nr: bin.length, bin: Int32Array.from(bin), place: Int32Array.from(place), node: Int32Array.from(node),
		samples: Float64Array.from(samples), period: Float64Array.from(period) };
}

function readNodes(list)
{
	const nr = list.length / 2;
	const nodes = { nr, frame: new Int32Array(nr), parent: new Int32Array(nr), depth: new Int32Array(nr),
		first: new Int32Array(nr).fill(-1), next: new Int32Array(nr).fill(-1) };

	for (let i = 0; i < nr; i++) {
		nodes.frame[i] = list[2 * i];
		nodes.parent[i] = i - list[2 * i + 1];
		if (i) {
			nodes.depth[i] = nodes.depth[nodes.parent[i]] + 1;
			nodes.next[i] = nodes.first[nodes.parent[i]];
			nodes.first[nodes.parent[i]] = i;
		}
	}
	return nodes;
}

// Nodes without their own frame among those above, so that recursion is not counted twice.
function findOutermost(nodes)
{
	const outermost = new Uint8Array(nodes.nr);

	for (let i = 1; i < nodes.nr; i++) {
		let at = nodes.parent[i];

		while (at && nodes.frame[at] !== nodes.frame[i])
			at = nodes.parent[at];
		outermost[i] = !at;
	}
	return outermost;
}

// Base64 of a zlib stream of JSON.
async function unpack(text)
{
	const bytes = Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));

	return JSON.parse(await new Response(stream).text());
}

function readProfile(raw, cells)
{
	const frames = eachGroup(raw.frames, 3, (name, file, kind) =>
		({ name: raw.texts[name], file: raw.texts[file], kind }));
	const places = eachGroup(raw.places, 3, (event, cpu, task) => ({ event, cpu, task }));
	const tasks = eachGroup(raw.tasks, 3, (pid, tid, comm) => ({ pid, tid, comm: raw.texts[comm] }));
	const nodes = readNodes(raw.nodes);

	return { bins: raw.bins, binSeconds: raw.bin_ns / 1e9, events: raw.events, frames, places, tasks, nodes,
		outermost: findOutermost(nodes), cells: readCells(cells, places, raw.events) };
}

// Which places a choice has: { event, cpus, tasks }, the last two sets, of which an empty one stands for all.
function chosenPlaces(profile, choice)
{
	return profile.places.map(p => p.event === choice.event && (!choice.cpus.size || choice.cpus.has(p.cpu)) &&
		(!choice.tasks.size || choice.tasks.has(p.task)));
}

// What each node has, with what is below it.
function withCallees(nodes, self)
{
	const all = self.slice();

	for (let i = nodes.nr - 1; i > 0; i--)
		all[nodes.parent[i]] += all[i];
	return { self, all, total: all[0] };
}

// Add up what is chosen, from bin choice.from to the one before choice.to, for each node.
function addUp(profile, choice)
{
	const { cells, nodes } = profile, chosen = chosenPlaces(profile, choice);
	const samples = new Float64Array(nodes.nr), period = new Float64Array(nodes.nr);

	for (let i = 0; i < cells.nr; i++) {
		if (cells.bin[i] < choice.from || cells.bin[i] >= choice.to || !chosen[cells.place[i]])
			continue;
		samples[cells.node[i]] += cells.samples[i];
		period[cells.node[i]] += cells.period[i];
	}
	return { samples: withCallees(nodes, samples), period: withCallees(nodes, period) };
}

// The same by function: a list of { frame, samples, period, all }.
function byFunction(profile, sums)
{
	const { frames, nodes, outermost } = profile;
	const rows = frames.map((frame, number) => ({ number, frame, samples: 0, period: 0, all: 0 }));

	for (let i = 1; i < nodes.nr; i++) {
		const row = rows[nodes.frame[i]];

		row.samples += sums.samples.self[i];
		row.period += sums.period.self[i];
		row.all += outermost[i] ? sums.samples.all[i] : 0;
	}
	return rows.filter(row => row.all && !(row.frame.kind & COMMAND));
}

// Samples in each bin by CPU or task, as places have them: pages of lanes, those with the most samples first; CPUs of a page in order.
function byLane(profile, event, key, pageSize)
{
	const lanes = new Map(), { cells, places } = profile;

	for (let i = 0; i < cells.nr; i++) {
		const place = places[cells.place[i]];

		if (place.event !== event)
			continue;
		if (!lanes.has(place[key]))
			lanes.set(place[key], { key: place[key], total: 0, counts: new Float64Array(profile.bins) });
		const lane = lanes.get(place[key]);
		lane.counts[cells.bin[i]] += cells.samples[i];
		lane.total += cells.samples[i];
	}
	const sorted = [...lanes.values()].sort((a, b) => b.total - a.total || a.key - b.key);
	return key === 'cpu' ? eachGroup(sorted, pageSize, (...page) => page.sort((a, b) => a.key - b.key)).flat() : sorted;
}

// ---- texts ----

const wholeNumbers = new Intl.NumberFormat('en-US');

function percent(part, all)
{
	return (all ? 100 * part / all : 0).toFixed(2) + '\u00a0%';
}

function fileName(path)
{
	return path.startsWith('/') ? path.slice(path.lastIndexOf('/') + 1) : path;
}

// What the name says of a function in words, besides its look.
function frameLabel(frame)
{
	return frame.name + (frame.kind & KERNEL ? ' [k]' : '') + (frame.kind & INLINED ? ' [i]' : '');
}

function frameWords(frame)
{
	const words = [[KERNEL, 'kernel'], [INLINED, 'inlined'], [GUEST, 'virtual machine'], [COMMAND, 'command']]
		.filter(([bit]) => frame.kind & bit).map(([, word]) => word);

	if (frame.file)
		words.push(frame.file);
	return words.length ? ` (${words.join(', ')})` : '';
}

function element(tag, properties, ...children)
{
	const e = Object.assign(document.createElement(tag), properties);

	e.append(...children);
	return e;
}
