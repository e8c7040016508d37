// SPDX-License-Identifier: GPL-2.0-only
// The flame graph: a tree of functions, callers above; only what is wide enough is in the page.

const FRAMES_MAX = 1000, ABOVE_MAX = 500, CRUMBS_MAX = 100, FRAME_HEIGHT = 20, WIDTH_MIN = 0.001, NARROW = 24;

// Calls show(text) about the function under the pointer or with the focus, and moved() when another one is enlarged.
function makeFlame(profile, { tree, crumbs, show, moved })
{
	const { nodes, frames } = profile;
	let values, unit, zoomed = 0, current = 0, matches = null, items = [], drawnWidth = 0;

	function describe(node)
	{
		const frame = frames[nodes.frame[node]], all = values.all[node], self = values.self[node];

		return `${frameLabel(frame)}${frameWords(frame)}: ${wholeNumbers.format(all)} ${unit}, ` +
			`${percent(all, values.total)}; itself ${wholeNumbers.format(self)}, ${percent(self, values.total)}`;
	}

	function children(node)
	{
		const list = [];

		for (let at = nodes.first[node]; at >= 0; at = nodes.next[at])
			if (values.all[at])
				list.push(at);
		return list.sort((a, b) => values.all[b] - values.all[a] || a - b);
	}

	// Those above the enlarged one, the nearest if there are many, and below it the widest ones.
	function layOut()
	{
		const above = [], list = [];

		for (let at = zoomed; at && above.length < ABOVE_MAX; at = nodes.parent[at])
			above.unshift({ node: nodes.parent[at], left: 0, width: 1, above: true });
		const todo = [{ node: zoomed, left: 0, width: 1 }];
		while (todo.length) {
			const item = todo.pop();
			let left = item.left;

			list.push(item);
			for (const node of children(item.node)) {
				const width = values.all[node] / values.all[zoomed];

				if (width >= WIDTH_MIN)
					todo.push({ node, left, width });
				left += width;
			}
		}
		// none is wider than the one above it, which came first
		list.sort((a, b) => b.width - a.width);
		items = [...above, ...list.slice(0, FRAMES_MAX - above.length)];
		items.sort((a, b) => nodes.depth[a.node] - nodes.depth[b.node] || a.left - b.left);
	}

	function makeElement(item)
	{
		const number = nodes.frame[item.node], frame = frames[number];
		const e = element('div', { className: 'frame', tabIndex: -1, textContent: frameLabel(frame) });

		e.classList.add('h' + number % 4);
		e.classList.toggle('kernel', frame.kind & KERNEL);
		e.classList.toggle('inlined', frame.kind & INLINED);
		e.classList.toggle('command', frame.kind & COMMAND || !item.node);
		e.classList.toggle('merged', frame.kind & MERGED);
		e.classList.toggle('above', !!item.above);
		e.classList.toggle('narrow', item.width * drawnWidth < NARROW);
		e.classList.toggle('match', !!matches && matches[number]);
		e.setAttribute('role', 'treeitem');
		e.setAttribute('aria-level', nodes.depth[item.node] + 1);
		e.setAttribute('aria-label', describe(item.node));
		e.title = describe(item.node);
		e.dataset.node = item.node;
		e.style.left = 100 * item.left + '%';
		e.style.width = 100 * item.width + '%';
		e.style.top = nodes.depth[item.node] * FRAME_HEIGHT + 'px';
		item.element = e;
		return e;
	}

	// One of them can be reached with the tab key.
	function setCurrent(node, focus)
	{
		const old = items.find(item => item.node === current), item = items.find(i => i.node === node) || items[0];

		if (old)
			old.element.tabIndex = -1;
		current = item.node;
		item.element.tabIndex = 0;
		if (focus)
			item.element.focus();
		return item;
	}

	function drawCrumbs()
	{
		const path = [];

		for (let at = zoomed; ; at = nodes.parent[at]) {
			path.unshift(at);
			if (!at)
				break;
		}
		// all, then the nearest ones
		path.splice(1, path.length - CRUMBS_MAX);
		crumbs.replaceChildren(...path.map(node => {
			const button = element('button', { type: 'button', textContent: frames[nodes.frame[node]].name });

			if (node === zoomed)
				button.setAttribute('aria-current', 'true');
			button.addEventListener('click', () => zoom(node, true));
			return element('li', {}, button);
		}));
	}

	function draw()
	{
		const focused = tree.contains(document.activeElement);

		drawnWidth = tree.clientWidth;
		layOut();
		tree.replaceChildren(...items.map(makeElement));
		tree.style.height = (1 + Math.max(...items.map(item => nodes.depth[item.node]))) * FRAME_HEIGHT + 'px';
		setCurrent(items.some(item => item.node === current) ? current : zoomed, focused);
		drawCrumbs();
	}

	function zoom(node, focus)
	{
		zoomed = node;
		current = node;
		draw();
		setCurrent(node, focus);
		moved();
	}

	// The item that an arrow key leads to.
	function neighbour(key)
	{
		const item = items.find(i => i.node === current), depth = nodes.depth[current];

		if (key === 'ArrowUp')
			return items.find(i => i.node === nodes.parent[current] && i.node !== current);
		if (key === 'ArrowDown')
			return items.find(i => nodes.parent[i.node] === current && i.node !== current);
		const level = items.filter(i => nodes.depth[i.node] === depth);
		return level[level.indexOf(item) + (key === 'ArrowRight' ? 1 : -1)];
	}

	tree.addEventListener('keydown', event => {
		if (event.altKey || event.ctrlKey || event.metaKey)
			return;
		if (event.key.startsWith('Arrow')) {
			const item = neighbour(event.key);

			if (item)
				setCurrent(item.node, true).element.scrollIntoView({ block: 'nearest' });
		} else if (event.key === 'Enter' || event.key === ' ') {
			zoom(current, true);
		} else if (event.key === 'Home') {
			setCurrent(0, true);
		} else if (event.key === 'Escape') {
			zoom(0, true);
		} else {
			return;
		}
		event.preventDefault();
	});
	const nodeOf = event => event.target.dataset.node === undefined ? -1 : Number(event.target.dataset.node);
	tree.addEventListener('click', event => nodeOf(event) >= 0 && zoom(nodeOf(event), true));
	for (const type of ['pointerover', 'focusin'])
		tree.addEventListener(type, event => nodeOf(event) >= 0 && show(describe(nodeOf(event))));

	return {
		// what each node has, and of what
		set(newValues, newUnit)
		{
			values = newValues;
			unit = newUnit;
			while (zoomed && !values.all[zoomed])
				zoomed = nodes.parent[zoomed];
			draw();
		},
		// by frame whether it is searched for; null: no search.  Returns what all stacks with such a frame have.
		search(newMatches)
		{
			let sum = 0;

			matches = newMatches;
			for (const item of items)
				item.element.classList.toggle('match', !!matches && matches[nodes.frame[item.node]]);
			if (!matches)
				return 0;
			const inside = new Uint8Array(nodes.nr);
			for (let i = 1; i < nodes.nr; i++) {
				inside[i] = inside[nodes.parent[i]] || matches[nodes.frame[i]];
				sum += inside[i] ? values.self[i] : 0;
			}
			return sum;
		},
		zoom,
		// names fit boxes of another width
		resize()
		{
			if (drawnWidth !== tree.clientWidth)
				draw();
		},
		isZoomed: () => zoomed !== 0,
	};
}
