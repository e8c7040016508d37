// SPDX-License-Identifier: GPL-2.0-only
// The timeline: samples per CPU or task as bars, a chosen range of time, chosen CPUs and tasks.

const LANE_HEIGHT = 22, SUM_HEIGHT = 44, BAR_WIDTH = 3;

// Calls changed() when choice has changed: from and to, cpus and tasks.
function makeTimeline(profile, choice, { lanes: parts, plot, canvas, before, after, from, to, span, changed })
{
	const lanes = makeLanes(profile, choice, { ...parts, changed, turned: draw });
	let dragged = null;

	// Bins to bars that are wide enough to see.
	function toBars(counts)
	{
		const size = Math.max(1, Math.ceil(BAR_WIDTH * counts.length / plot.clientWidth));
		const bars = new Float64Array(Math.ceil(counts.length / size));

		counts.forEach((count, bin) => { bars[Math.floor(bin / size)] += count; });
		return { bars, width: plot.clientWidth * size / counts.length };
	}

	// The bars of one lane, each as high as its part of the most.
	function drawLane(context, { bars, width }, most, top, height)
	{
		bars.forEach((count, i) => {
			const left = Math.round(i * width), high = Math.max(1, Math.round((height - 3) * count / most));

			if (count)
				context.fillRect(left, top + height - 1 - high, Math.max(1, Math.round((i + 1) * width) - left), high);
		});
	}

	function draw()
	{
		const scale = window.devicePixelRatio || 1, style = getComputedStyle(canvas), width = plot.clientWidth;
		const sum = new Float64Array(profile.bins), context = canvas.getContext('2d');

		for (const lane of lanes.all())
			lane.counts.forEach((count, bin) => { sum[bin] += count; });
		const all = toBars(sum), shown = lanes.shown().map(lane => toBars(lane.counts));
		const height = SUM_HEIGHT + LANE_HEIGHT * shown.length, highest = list => list.reduce((a, b) => Math.max(a, b), 1);
		// of all pages, so that they compare
		const most = highest(lanes.all().map(lane => highest(toBars(lane.counts).bars)));
		plot.style.height = height + 'px';
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
		context.scale(scale, scale);
		context.fillStyle = style.borderTopColor;
		for (let i = 0; i <= shown.length; i++)
			context.fillRect(0, SUM_HEIGHT - 1 + i * LANE_HEIGHT, width, 1);
		context.fillStyle = style.color;
		drawLane(context, all, highest(all.bars), 0, SUM_HEIGHT);
		shown.forEach((lane, i) => drawLane(context, lane, most, SUM_HEIGHT + i * LANE_HEIGHT, LANE_HEIGHT));
		canvas.setAttribute('aria-label', `Samples over ${seconds(profile.bins)}, ${lanes.words()}; ` +
			'the handles From and To choose a part');
	}

	// as many digits as tell bins apart
	const digits = Math.max(1, 1 + Math.ceil(-Math.log10(profile.binSeconds)));
	const seconds = bin => (bin * profile.binSeconds).toFixed(digits) + ' s';

	function drawRange()
	{
		before.style.width = 100 * choice.from / profile.bins + '%';
		after.style.width = 100 * (profile.bins - choice.to) / profile.bins + '%';
		before.hidden = choice.from === 0;
		after.hidden = choice.to === profile.bins;
		from.value = choice.from;
		to.value = choice.to;
		from.setAttribute('aria-valuetext', seconds(choice.from));
		to.setAttribute('aria-valuetext', seconds(choice.to));
		span.textContent = `${seconds(choice.from)} to ${seconds(choice.to)}`;
	}

	// At least one bin stays.
	function setRange(first, end)
	{
		choice.from = Math.max(0, Math.min(first, profile.bins - 1));
		choice.to = Math.max(choice.from + 1, Math.min(end, profile.bins));
		drawRange();
		changed();
	}

	const binAt = event => {
		const box = plot.getBoundingClientRect();

		return Math.max(0, Math.min(profile.bins - 1, Math.floor((event.clientX - box.left) / box.width * profile.bins)));
	};
	plot.addEventListener('pointerdown', event => {
		if (event.button)
			return;
		dragged = { bin: binAt(event), x: event.clientX, moved: false };
		plot.setPointerCapture(event.pointerId);
	});
	plot.addEventListener('pointermove', event => {
		if (!dragged || !(dragged.moved = dragged.moved || Math.abs(event.clientX - dragged.x) > 3))
			return;
		const bin = binAt(event);
		setRange(Math.min(bin, dragged.bin), Math.max(bin, dragged.bin) + 1);
	});
	plot.addEventListener('pointerup', () => {
		// a click alone chooses all
		if (dragged && !dragged.moved)
			setRange(0, profile.bins);
		dragged = null;
	});
	plot.addEventListener('pointercancel', () => { dragged = null; });
	from.addEventListener('input', () => setRange(Math.min(Number(from.value), choice.to - 1), choice.to));
	to.addEventListener('input', () => setRange(choice.from, Math.max(Number(to.value), choice.from + 1)));
	from.max = profile.bins - 1;
	to.max = profile.bins;
	new ResizeObserver(draw).observe(plot);

	return {
		// the event, and what lanes are of: cpu or task
		set(event, key)
		{
			lanes.set(event, key);
			draw();
			drawRange();
		},
		draw,
	};
}
