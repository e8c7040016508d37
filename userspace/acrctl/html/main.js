// SPDX-License-Identifier: GPL-2.0-only
// What is chosen on the page, and keeping all of its parts in step.

async function start()
{
	const get = id => document.getElementById(id);
	const profile = readProfile(await unpack(get('stacks').textContent), await unpack(get('cells').textContent));
	const withSamples = profile.events.map((event, number) => ({ ...event, number })).filter(event => event.samples);
	const choice = { event: withSamples.length ? withSamples[0].number : 0, from: 0, to: Math.max(profile.bins, 1),
		cpus: new Set(), tasks: new Set() };
	let sums;

	const flame = makeFlame(profile, {
		tree: get('frames'), crumbs: get('crumbs'), moved: showChoice,
		show: text => { get('detail').textContent = text; },
	});
	const table = makeTable({
		table: get('symbols'), note: get('rows'), more: get('more'),
		chosen: name => {
			get('search').value = name;
			search();
		},
	});
	const timeline = makeTimeline(profile, choice, {
		lanes: { names: get('lane-names'), pages: get('lane-pages'), before: get('lanes-before'), place: get('lanes-place'),
			after: get('lanes-after'), others: get('lanes-others') },
		plot: get('plot'), canvas: get('bars'), before: get('before'), after: get('after'),
		from: get('from'), to: get('to'), span: get('span'), changed: update,
	});

	function measure()
	{
		return get('measure').value;
	}

	function showChoice()
	{
		const all = profile.events[choice.event].samples, part = sums.samples.total;
		const narrowed = part !== all || choice.cpus.size || choice.tasks.size || choice.from || choice.to < profile.bins;

		get('shown').textContent = narrowed ? `${wholeNumbers.format(part)} of ${wholeNumbers.format(all)} samples` :
			`all ${wholeNumbers.format(all)} samples`;
		get('clear').hidden = !narrowed && !get('search').value && !flame.isZoomed();
	}

	function search()
	{
		const text = get('search').value.toLowerCase();
		const matches = text ? profile.frames.map(f => f.name.toLowerCase().includes(text) ||
			f.file.toLowerCase().includes(text)) : null;
		const sum = flame.search(matches);

		get('found').textContent = matches ? `found in ${percent(sum, sums[measure()].total)} of ` +
			(measure() === 'samples' ? 'samples' : 'occurrences') : '';
		table.search(matches);
		showChoice();
	}

	function update()
	{
		sums = addUp(profile, choice);
		flame.set(sums[measure()], measure() === 'samples' ? 'samples' : 'occurrences');
		table.set(byFunction(profile, sums), sums);
		search();
	}

	function showTimeline()
	{
		const by = document.querySelector('input[name="by"]:checked');

		if (by)
			timeline.set(choice.event, by.value);
	}

	function clear()
	{
		choice.cpus.clear();
		choice.tasks.clear();
		choice.from = 0;
		choice.to = Math.max(profile.bins, 1);
		get('search').value = '';
		flame.zoom(0);
		showTimeline();
		update();
	}

	// Without times there is no timeline, without CPUs or tasks there are no lanes of them.
	function beginTimeline()
	{
		const has = { cpu: profile.places.some(p => p.cpu >= 0), task: profile.tasks.length > 1 };

		for (const radio of document.querySelectorAll('input[name="by"]')) {
			radio.parentElement.hidden = !has[radio.value];
			radio.addEventListener('change', showTimeline);
		}
		document.querySelector(`input[name="by"][value="${has.cpu || !has.task ? 'cpu' : 'task'}"]`).checked = true;
		get('timeline').hidden = !profile.bins;
	}

	function beginTheme()
	{
		const dark = () => (document.documentElement.dataset.theme ||
			(matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
		const show = () => {
			get('theme').textContent = dark() ? 'Light' : 'Dark';
			get('theme').setAttribute('aria-label', dark() ? 'Light colours' : 'Dark colours');
			timeline.draw();
		};

		get('theme').addEventListener('click', () => {
			document.documentElement.dataset.theme = dark() ? 'light' : 'dark';
			show();
		});
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
		get('theme').hidden = false;
		show();
	}

	for (const event of withSamples)
		get('event').append(element('option', { value: event.number, textContent: event.name }));
	get('event').parentElement.hidden = withSamples.length < 2;
	get('event').addEventListener('change', () => {
		choice.event = Number(get('event').value);
		showTimeline();
		update();
	});
	get('measure').addEventListener('change', update);
	get('search').addEventListener('input', search);
	get('search').addEventListener('keydown', event => {
		if (event.key === 'Escape') {
			get('search').value = '';
			search();
		}
	});
	get('clear').addEventListener('click', clear);
	document.addEventListener('keydown', event => {
		if (event.key !== '/' || event.target.matches('input[type="search"]') || event.ctrlKey || event.metaKey || event.altKey)
			return;
		get('search').focus();
		event.preventDefault();
	});
	if (!withSamples.length)
		return;
	get('bar').hidden = false;
	get('flame').hidden = false;
	beginTimeline();
	showTimeline();
	update();
	beginTheme();
	new ResizeObserver(flame.resize).observe(get('frames'));
}

start().then(() => { document.documentElement.dataset.ready = 'true'; }).catch(error => {
	document.getElementById('fault').textContent = 'This browser cannot show the flame graph and the timeline: ' + error.message;
	document.getElementById('fault').hidden = false;
	throw error;
});
