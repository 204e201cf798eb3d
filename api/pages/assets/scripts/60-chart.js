// Charts: values under the pointer or the arrow keys, a window by dragging or by plus and minus.
const svgName = 'http://www.w3.org/2000/svg';

const shape = (svg, name, className) => {
  const one = document.createElementNS(svgName, name);
  one.setAttribute('class', className);
  one.setAttribute('vector-effect', 'non-scaling-stroke');
  svg.append(one);
  return one;
};

const prepare = (figure) => {
  figure.dataset.ready = '';
  const plot = figure.querySelector('.plot');
  const svg = figure.querySelector('svg');
  const readout = figure.querySelector('.readout');
  const rows = [...figure.querySelectorAll('tbody tr')];
  const { width, height } = svg.viewBox.baseVal;
  const isBars = figure.dataset.shape === 'bars';
  const cursor = shape(svg, 'path', 'cursor');
  const picked = shape(svg, 'rect', 'picked');
  let at = rows.length - 1;
  let from;

  const middleOf = (i) => (isBars ? ((i + 0.5) * width) / rows.length : (i * width) / Math.max(1, rows.length - 1));
  const indexAt = (event) => {
    const box = svg.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    const i = isBars ? Math.floor(part * rows.length) : Math.round(part * (rows.length - 1));
    return Math.min(rows.length - 1, Math.max(0, i));
  };
  const show = (i) => {
    at = i;
    const [time, value] = rows[i].cells;
    cursor.setAttribute('d', `M${middleOf(i)} 0V${height}`);
    const strong = document.createElement('strong');
    strong.textContent = `${value.textContent} ${figure.dataset.unit}`.trim();
    readout.replaceChildren(strong, ` ${time.textContent} UTC`);
  };
  const zoom = (low, high) => {
    const url = new URL(location.href);
    url.searchParams.set('from', rows[Math.max(0, low)].dataset.at);
    url.searchParams.set('to', rows[Math.min(rows.length - 1, high)].dataset.at);
    url.searchParams.delete('resolution');
    document.dispatchEvent(new CustomEvent('cordscan:go', { detail: url.href }));
  };

  svg.addEventListener('pointerdown', (event) => {
    from = indexAt(event);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener('pointermove', (event) => {
    show(indexAt(event));
    if (from === undefined) return;
    const [left, right] = [middleOf(Math.min(from, at)), middleOf(Math.max(from, at))];
    picked.setAttribute('x', left);
    picked.setAttribute('width', right - left);
    picked.setAttribute('height', height);
  });
  const drop = (event) => {
    const [start, end] = [from, indexAt(event)];
    from = undefined;
    picked.setAttribute('width', 0);
    if (event.type === 'pointerup' && start !== undefined && Math.abs(end - start) >= 2)
      zoom(Math.min(start, end), Math.max(start, end));
  };
  svg.addEventListener('pointerup', drop);
  svg.addEventListener('pointercancel', drop);

  plot.tabIndex = 0;
  plot.setAttribute('role', 'group');
  plot.setAttribute('aria-label', 'Arrow keys read the values, plus narrows the window, minus shows everything');
  const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -rows.length, End: rows.length };
  plot.addEventListener('keydown', (event) => {
    const isZoom = event.key === '+' || event.key === '-';
    if (!isZoom && steps[event.key] === undefined) return;
    event.preventDefault();
    const reach = Math.floor(rows.length / 4);
    if (event.key === '+' && reach > 0) zoom(at - reach, at + reach);
    else if (event.key === '-') document.dispatchEvent(new CustomEvent('cordscan:go', { detail: location.pathname }));
    else if (!isZoom) show(Math.min(rows.length - 1, Math.max(0, at + steps[event.key])));
  });
  if (rows.length > 0) show(at);
};

const prepareAll = () => {
  for (const figure of document.querySelectorAll('[data-chart]:not([data-ready])')) prepare(figure);
};
document.addEventListener('DOMContentLoaded', prepareAll);
document.addEventListener('cordscan:shown', prepareAll);
