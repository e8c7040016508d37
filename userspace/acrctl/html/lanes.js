// SPDX-License-Identifier: GPL-2.0-only
// The CPUs or tasks next to the timeline: a page of them at a time, each chosen by its name.

const LANES_MAX = 48, CHOSEN_NAMED = 8;

// Calls changed() when choice has changed, turned() when another page is shown.
function makeLanes(profile, choice, { names, pages, before, place, after, others, changed, turned })
{
	const sets = { cpu: choice.cpus, task: choice.tasks };
	let lanes = [], key = 'cpu', first = 0;

	const shown = () => lanes.slice(first, first + LANES_MAX);

	function laneName(kind, number)
	{
		if (kind === 'cpu')
			return number < 0 ? 'unknown CPU' : 'CPU ' + number;
		const task = profile.tasks[number];

		return number ? `${task.comm} ${task.pid === task.tid ? task.pid : task.pid + '/' + task.tid}` : 'other tasks';
	}

	function toggle(lane)
	{
		if (!lane)
			sets[key].clear();
		else if (!sets[key].delete(lane.key))
			sets[key].add(lane.key);
		drawNames();
		changed();
	}

	function nameButton(text, total, pressed, lane)
	{
		const button = element('button', { type: 'button', textContent: text,
			title: `${text}: ${wholeNumbers.format(total)} samples` });

		button.setAttribute('aria-pressed', pressed);
		button.addEventListener('click', () => toggle(lane));
		return button;
	}

	// What is chosen and has no button now: of other pages, of the other kind, without samples of the event.
	function drawOthers()
	{
		const seen = new Set(shown().map(lane => lane.key));
		const list = Object.keys(sets).flatMap(kind => [...sets[kind]].filter(number => kind !== key || !seen.has(number))
			.map(number => laneName(kind, number)));
		const rest = list.length - CHOSEN_NAMED;

		others.textContent = list.length ? 'Chosen, but not listed below: ' + list.slice(0, CHOSEN_NAMED).join(', ') +
			(rest > 0 ? ` and ${rest} more` : '') : '';
	}

	function drawPages()
	{
		const nr = Math.ceil(lanes.length / LANES_MAX), rest = lanes.length - first - LANES_MAX;

		pages.hidden = nr < 2;
		before.hidden = !first;
		before.textContent = `${first} before`;
		after.hidden = rest <= 0;
		after.textContent = `${rest} more`;
		place.textContent = `${lanes.length} ${key === 'cpu' ? 'CPUs' : 'tasks'}, page ${1 + first / LANES_MAX} of ${nr}`;
	}

	function drawNames()
	{
		const at = [...names.children].indexOf(document.activeElement);
		const all = lanes.reduce((sum, lane) => sum + lane.total, 0);

		names.replaceChildren(nameButton('all', all, !sets[key].size, null),
			...shown().map(lane => nameButton(laneName(key, lane.key), lane.total, sets[key].has(lane.key), lane)));
		if (at >= 0)
			names.children[Math.min(at, names.children.length - 1)].focus();
		drawPages();
		drawOthers();
	}

	function turn(pressed, other, step)
	{
		first += step;
		drawNames();
		turned();
		// a hidden button would lose the focus
		(pressed.hidden ? other : pressed).focus();
	}

	before.addEventListener('click', () => turn(before, after, -LANES_MAX));
	after.addEventListener('click', () => turn(after, before, LANES_MAX));

	return {
		// the event, and what lanes are of: cpu or task
		set(event, newKey)
		{
			key = newKey;
			lanes = byLane(profile, event, key, LANES_MAX);
			first = 0;
			drawNames();
		},
		all: () => lanes,
		shown,
		words: () => (lanes.length > LANES_MAX ? `${shown().length} of ` : '') +
			`${lanes.length} ${key === 'cpu' ? 'CPUs' : 'tasks'}`,
	};
}
