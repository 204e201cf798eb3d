// Live updates: on each new block, reloads the elements marked data-live from the server.
const minGapMs = 2000;
let lastAt = 0;
let timer;
let isBusy = false;
/** True if a block arrived during a refresh. */
let isDue = false;
/** Cancels the last page part that the user requested. */
let asked;

const place = () => location.pathname + location.search;
/**
 * Path and query of the displayed content; undefined after a form was sent, so that the next navigation asks the
 * server.
 */
let shown = place();

/** Replaces an element. Opened details stay open, and new rows are marked. */
const replace = (part, next) => {
  const known = new Set([...part.querySelectorAll('[data-key]')].map((row) => row.dataset.key));
  const isOpen = [...part.querySelectorAll('details')].map((one) => one.open);
  part.replaceWith(next);
  next.querySelectorAll('details').forEach((one, i) => {
    one.open = isOpen[i] ?? false;
  });
  if (known.size === 0) return;
  for (const row of next.querySelectorAll('[data-key]')) if (!known.has(row.dataset.key)) row.classList.add('is-new');
};

/** Reloads elements from `url`. Skips elements with focus or pointer, unless the user started the reload. */
const refresh = async (url, selector, isAsked, signal) => {
  const reply = await fetch(url, { headers: { Accept: 'text/html' }, signal });
  // a reorg removed the content of the page: its error page reloads when the content exists
  if (reply.status === 404 && url === location.href && !isAsked) return location.reload();
  if (!reply.ok && !isAsked) return false;
  const fresh = new DOMParser().parseFromString(await reply.text(), 'text/html');
  for (const part of document.querySelectorAll(selector)) {
    const next = fresh.getElementById(part.id);
    // the part belongs to a replaced block, so the rest of the page is outdated too
    if (part.dataset.of !== undefined && next?.dataset.of !== part.dataset.of) return location.reload();
    if (!next || next.outerHTML === part.outerHTML) continue;
    if (!isAsked && (part.contains(document.activeElement) || part.matches(':hover'))) continue;
    replace(part, next);
  }
  document.dispatchEvent(new Event('cordscan:shown'));
  return reply.ok;
};

const follow = () => {
  clearTimeout(timer);
  timer = setTimeout(
    async () => {
      const live = document.querySelector('main [data-live]');
      isDue = isBusy;
      if (isBusy || document.hidden || !live) return;
      isBusy = true;
      lastAt = Date.now();
      // data-live can name a cheaper page with the same elements
      await refresh(live.dataset.live || location.href, '[data-live][id]', false).catch(() => false);
      isBusy = false;
      if (isDue) follow();
    },
    Math.max(150, lastAt + minGapMs - Date.now()),
  );
};

document.addEventListener('cordscan:go', (event) => {
  history.pushState(null, '', event.detail);
  shown = place();
  asked?.abort(); // a slow reply must not replace a later one
  asked = new AbortController();
  const { signal } = asked;
  void refresh(event.detail, '#part', true, signal)
    .catch(() => false)
    .then((isShown) => isShown || signal.aborted || location.assign(event.detail));
});
// browsers treat a repeated submit to the same URL and fragment as a jump to the fragment
document.addEventListener('submit', (event) => {
  if (!event.defaultPrevented) shown = undefined;
});
addEventListener('popstate', () => {
  if (place() !== shown) location.reload();
});

const showHead = (head, event) => {
  const { number } = JSON.parse(event.data);
  const isAdded = event.type === 'anchor.added';
  head.dataset.head = String(isAdded ? number : number - 1);
  head.href = `/block/${head.dataset.head}`;
  head.querySelector('[data-head-number]').textContent = Number(head.dataset.head).toLocaleString('en-US');
  head.classList.remove('is-new');
  void head.offsetWidth; // restarts the animation
  head.classList.add('is-new');
};

document.addEventListener('DOMContentLoaded', () => {
  const head = document.querySelector('[data-head]');
  if (!head || !window.EventSource) return;
  let stream;
  let isWanted = true;
  const button = document.createElement('button');
  button.type = 'button';
  const show = () => {
    const text = isWanted ? 'Stop live updates' : 'Start live updates';
    button.setAttribute('aria-label', text);
    button.title = text;
    button.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${isWanted ? 'M9 6v12M15 6v12' : 'M8 5.5v13l11-6.5Z'}"/></svg>`;
  };
  const step = (event) => {
    showHead(head, event);
    follow();
  };
  // Closes the event stream of a hidden page, because browsers allow few connections per host.
  const connect = () => {
    const isOpen = isWanted && !document.hidden;
    if (isOpen === (stream !== undefined)) return;
    stream?.close();
    stream = isOpen ? new EventSource('/api/v1/stream/heads') : undefined;
    head.classList.toggle('is-live', false);
    if (!stream) return;
    stream.addEventListener('open', () => {
      head.classList.add('is-live');
      follow();
    });
    stream.addEventListener('error', () => head.classList.remove('is-live'));
    for (const name of ['anchor.added', 'anchor.removed']) stream.addEventListener(name, step);
  };
  button.addEventListener('click', () => {
    isWanted = !isWanted;
    show();
    connect();
  });
  document.addEventListener('visibilitychange', connect);
  show();
  document.querySelector('[data-tools]')?.prepend(button);
  connect();
});

// Polls an error page at growing intervals, and reloads it when its content exists.
document.addEventListener('DOMContentLoaded', () => {
  if (!document.querySelector('[data-retry]')) return;
  const look = async (waitMs) => {
    if (waitMs > 120_000) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const reply = document.hidden ? undefined : await fetch(location.href, { method: 'HEAD' }).catch(() => undefined);
    if (reply?.ok) location.reload();
    else await look(waitMs * 1.2);
  };
  void look(3000);
});
