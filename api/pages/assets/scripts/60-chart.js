// Controls of a chart: pointer and arrow keys show values. Dragging, plus and minus zoom charts with data-zoom, whose
// page reads the range from its URL.
const svgName = 'http://www.w3.org/2000/svg';

const shape = (svg, name, className) => {
  const one = document.createElementNS(svgName, name);
  one.setAttribute('class', className);
  one.setAttribute('vector-effect', 'non-scaling-stroke');
  svg.append(one);
  return one;
};

/** Converts value indexes to x coordinates, and pointer events to indexes. */
const createPositions = (svg, count, isBars) => {
  const { width } = svg.viewBox.baseVal;
  return {
    getX: (i) => (isBars ? ((i + 0.5) * width) / count : (i * width) / Math.max(1, count - 1)),
    indexAt: (event) => {
      const box = svg.getBoundingClientRect();
      const part = (event.clientX - box.left) / box.width;
      const i = isBars ? Math.floor(part * count) : Math.round(part * (count - 1));
      return Math.min(count - 1, Math.max(0, i));
    },
  };
};

const go = (url) => document.dispatchEvent(new CustomEvent('cordscan:go', { detail: url }));

const zoom = (rows, low, high) => {
  const url = new URL(location.href);
  url.searchParams.set('from', rows[Math.max(0, low)].dataset.at);
  // the range ends with the last selected period; without an end, it follows the chain head
  if (high < rows.length - 1) url.searchParams.set('to', String(Number(rows[high + 1].dataset.at) - 1));
  // the chart builder has no automatic resolution
  if (url.pathname !== '/charts/query') url.searchParams.delete('resolution');
  go(url.href);
};

const showAll = () => {
  const url = new URL(location.href);
  for (const name of ['from', 'to', 'resolution']) url.searchParams.delete(name);
  go(url.href);
};

const readByPointer = (svg, rows, { getX, indexAt }, show, canZoom) => {
  const picked = shape(svg, 'rect', 'picked');
  let from;
  svg.addEventListener('pointerdown', (event) => {
    if (!canZoom) return;
    from = indexAt(event);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    const at = indexAt(event);
    show(at);
    if (from === undefined) return;
    const [left, right] = [getX(Math.min(from, at)), getX(Math.max(from, at))];
    picked.setAttribute('x', left);
    picked.setAttribute('width', right - left);
    picked.setAttribute('height', svg.viewBox.baseVal.height);
  });
  const drop = (event) => {
    const [start, end] = [from, indexAt(event)];
    from = undefined;
    picked.setAttribute('width', 0);
    if (event.type === 'pointerup' && start !== undefined && Math.abs(end - start) >= 2)
      zoom(rows, Math.min(start, end), Math.max(start, end));
  };
  svg.addEventListener('pointerup', drop);
  svg.addEventListener('pointercancel', drop);
};

/** @param shown returns the index of the displayed value */
const readByKeys = (plot, rows, shown, show, canZoom) => {
  plot.tabIndex = 0;
  plot.setAttribute('role', 'group');
  plot.setAttribute(
    'aria-label',
    `Arrow keys show values${canZoom ? ', plus zooms in, minus shows the full range' : ''}`,
  );
  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -rows.length, End: rows.length };
  plot.addEventListener('keydown', (event) => {
    const isZoom = canZoom && (event.key === '+' || event.key === '-');
    if (!isZoom && steps[event.key] === undefined) return;
    event.preventDefault();
    const reach = Math.floor(rows.length / 4);
    if (isZoom && event.key === '-') showAll();
    else if (isZoom && reach > 0) zoom(rows, shown() - reach, shown() + reach);
    else if (!isZoom) show(Math.min(rows.length - 1, Math.max(0, shown() + steps[event.key])));
  });
};

const prepare = (figure) => {
  figure.dataset.ready = '';
  const svg = figure.querySelector('svg');
  const readout = figure.querySelector('.readout');
  const rows = [...figure.querySelectorAll('tbody tr')];
  const positions = createPositions(svg, rows.length, figure.dataset.shape === 'bars');
  const cursor = shape(svg, 'path', 'cursor');
  let at = rows.length - 1;
  const show = (i) => {
    at = i;
    const [time, value] = rows[i].cells;
    cursor.setAttribute('d', `M${positions.getX(i)} 0V${svg.viewBox.baseVal.height}`);
    const strong = document.createElement('strong');
    const partial = value.querySelector('small')?.textContent; // "so far" is behind the unit
    strong.textContent = [value.firstChild.textContent.trim(), figure.dataset.unit, partial].filter(Boolean).join(' ');
    readout.replaceChildren(strong, ` ${time.textContent} UTC`);
  };
  const canZoom = figure.dataset.zoom !== undefined;
  readByPointer(svg, rows, positions, show, canZoom);
  readByKeys(figure.querySelector('.plot'), rows, () => at, show, canZoom);
  if (rows.length > 0) show(at);
};

const prepareAll = () => {
  for (const figure of document.querySelectorAll('[data-chart]:not([data-ready])')) prepare(figure);
};
document.addEventListener('DOMContentLoaded', prepareAll);
document.addEventListener('cordscan:shown', prepareAll);
