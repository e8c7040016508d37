// SPDX-License-Identifier: GPL-2.0-only
// The table of functions: sorted by the column that its heading chooses.

const ROWS_STEP = 50, ROWS_MAX = 500;

const columns = [
	{ name: 'Samples', value: row => row.samples, help: 'samples in the function itself' },
	{ name: 'Share', value: row => row.period, help: 'of all occurrences, in the function itself' },
	{ name: 'Total', value: row => row.all, help: 'share of samples with all that it called' },
	{ name: 'Symbol', value: row => row.frame.name, help: 'the function' },
	{ name: 'Object', value: row => fileName(row.frame.file), help: 'the file that it is in' },
];

// Calls chosen(name) when the name of a function is clicked.
function makeTable({ table, note, more, chosen })
{
	const body = table.tBodies[0], headings = [];
	let rows = [], sums, matches = null, sorted = 0, descending = true, limit = ROWS_STEP;

	function compare(a, b)
	{
		const x = columns[sorted].value(a), y = columns[sorted].value(b);
		const order = x < y ? -1 : x > y ? 1 : 0;

		return (descending ? -order : order) || b.samples - a.samples || b.all - a.all || a.number - b.number;
	}

	function makeRow(row)
	{
		const { frame } = row, file = fileName(frame.file);
		const name = element('button', { type: 'button', textContent: frameLabel(frame), title: 'Search for ' + frame.name });
		const share = element('td', { className: 'share', textContent: sums.period.total ?
			percent(row.period, sums.period.total) : percent(row.samples, sums.samples.total) });

		share.style.setProperty('--part', 100 * row.samples / (sums.samples.total || 1) + '%');
		name.addEventListener('click', () => chosen(frame.name));
		const heading = element('th', { scope: 'row' }, name, element('span', { className: 'small', textContent: file }));
		return element('tr', {}, element('td', { textContent: wholeNumbers.format(row.samples) }), share,
			element('td', { textContent: percent(row.all, sums.samples.total) }), heading,
			element('td', { className: 'object', textContent: file, title: frame.file }));
	}

	function draw()
	{
		const list = rows.filter(row => !matches || matches[row.number]).sort(compare);
		const shown = list.slice(0, limit);

		body.replaceChildren(...shown.map(makeRow));
		headings.forEach((heading, i) => {
			if (i === sorted)
				heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
			else
				heading.removeAttribute('aria-sort');
		});
		note.textContent = (shown.length < list.length ? `${shown.length} of ` : '') + wholeNumbers.format(list.length) +
			(list.length === 1 ? ' function' : ' functions');
		more.hidden = shown.length === list.length || limit >= ROWS_MAX;
	}

	function sortBy(column)
	{
		descending = column === sorted ? !descending : column < 3;
		sorted = column;
		draw();
	}

	table.tHead.replaceChildren(element('tr', {}, ...columns.map((column, i) => {
		const button = element('button', { type: 'button', textContent: column.name, title: column.help });

		button.addEventListener('click', () => sortBy(i));
		headings.push(element('th', { scope: 'col', className: ['number', 'number', 'number', '', 'object'][i] }, button));
		return headings[i];
	})));
	more.addEventListener('click', () => {
		limit = Math.min(limit + ROWS_STEP, ROWS_MAX);
		draw();
	});

	return {
		set(newRows, newSums)
		{
			rows = newRows;
			sums = newSums;
			draw();
		},
		// by number of a frame whether it is searched for; null: no search
		search(newMatches)
		{
			matches = newMatches;
			draw();
		},
	};
}
