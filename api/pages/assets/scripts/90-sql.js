// Runs the query of the page /sql and shows its rows. The API key stays in the form, the access token in this tab.
const shownRows = 1_000;
const progressMs = 1_000;

const toHeaders = (form) => {
  const headers = { 'content-type': 'application/json' };
  const key = form.querySelector('[data-sql-key]')?.value.trim();
  if (key) return { ...headers, 'x-api-key': key };
  try {
    const token = sessionStorage.getItem('token');
    return token ? { ...headers, authorization: `Bearer ${token}` } : headers;
  } catch {
    return headers; // the browser blocks storage
  }
};

// Prefix of the field names for placeholder values, as in the page.
const valuePrefix = 'value_';
// Placeholder values by name, from the page and from the user.
const known = new Map();
const remember = ({ name, value }) => known.set(name.slice(valuePrefix.length), value);

/** Returns the types of the query's placeholders by name, for example {from:UInt64}. */
const listPlaceholders = (form) => {
  const found = form.elements.query.value.matchAll(/\{\s*(\w{1,64})\s*:([^{}]{1,500})\}/g);
  return new Map([...found].map(([, name, type]) => [name, type.trim()]));
};

/** Omits empty values, so that the database reports them as missing. */
const readQuery = (form) => {
  const [sql, at] = [form.elements.query.value, form.elements.at.value];
  const given = [...listPlaceholders(form)].filter(([name]) => known.has(name));
  const values = given.map(([name, type]) => {
    const value = known.get(name);
    return [name, type === 'Address' || type === 'Hash' ? value.trim() : value];
  });
  return { sql, at, parameters: Object.fromEntries(values) };
};

/** Shows one field per placeholder. A textarea, unlike an input, keeps line breaks. */
const showValues = (form) => {
  const fields = [...listPlaceholders(form)].map(([name, type]) => {
    const label = document.createElement('label');
    const field = document.createElement('textarea');
    Object.assign(field, { name: valuePrefix + name, value: known.get(name) ?? '', rows: 1, spellcheck: false });
    label.append(`${name} (${type}) `, field);
    return label;
  });
  find('values').replaceChildren(...fields);
};

const openValues = (form) => {
  for (const field of find('values').querySelectorAll('textarea')) remember(field);
  showValues(form);
  find('values').addEventListener('input', ({ target }) => remember(target));
  form.elements.query.addEventListener('input', () => showValues(form));
};
const toBody = (form, more) => JSON.stringify({ ...readQuery(form), ...more });

const send = async (form, more, signal) => {
  const init = { method: 'POST', headers: toHeaders(form), body: toBody(form, more), signal };
  const reply = await fetch('/api/v1/sql', init);
  if (reply.ok) return reply;
  const problem = await reply.json().catch(() => ({}));
  throw new Error(problem.detail ?? `status ${reply.status}`);
};

const cell = (name, value) => {
  const made = document.createElement(name);
  const text = value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '–');
  if (name === 'td' && /^0x([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) {
    const link = document.createElement('a');
    link.href = text.length === 42 ? `/address/${text}` : `/search?q=${text}`;
    link.textContent = text;
    link.className = 'hex';
    made.append(link);
  } else made.textContent = text;
  return made;
};

const toTable = ({ columns, rows }) => {
  const made = document.createElement('table');
  made.className = 'plain';
  const head = made.createTHead().insertRow();
  for (const { name, type } of columns) {
    const title = cell('th', name);
    title.title = type;
    title.scope = 'col';
    head.append(title);
  }
  const body = made.createTBody();
  for (const row of rows.slice(0, shownRows)) body.insertRow().append(...row.map((value) => cell('td', value)));
  const box = document.createElement('div');
  box.className = 'scroll wide';
  box.append(made);
  return box;
};

const count = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

const describe = ({ rowCount, readRows, elapsedMs, asOf }) => {
  const shown = rowCount > shownRows ? `, the first ${shownRows.toLocaleString('en')} are shown` : '';
  const block = `${asOf.finalized ? 'finalized ' : ''}block ${asOf.block.toLocaleString('en')}`;
  return `${count(rowCount, 'row')}${shown}. ${count(readRows, 'row')} read in ${elapsedMs} ms, up to ${block}.`;
};

const find = (name) => document.querySelector(`[data-sql-${name}]`);
const say = (text) => {
  find('state').textContent = text;
};

let running;

const watch = async (form, id) => {
  while (running === id) {
    await new Promise((resolve) => setTimeout(resolve, progressMs));
    const reply = await fetch(`/api/v1/sql/queries/${id}`, { headers: toHeaders(form) }).catch(() => undefined);
    if (running !== id || !reply?.ok) continue;
    const { state, readRows, totalRows, elapsedMs } = await reply.json();
    const of = totalRows > readRows ? ` of ${totalRows.toLocaleString('en')}` : '';
    if (running === id)
      say(`${state}: ${readRows.toLocaleString('en')}${of} rows read in ${Math.round(elapsedMs / 1000)} s`);
  }
};

const run = async (form, more, show) => {
  if (running) return;
  running = `page-${crypto.getRandomValues(new Uint32Array(3)).join('-')}`;
  say('running');
  void watch(form, running);
  try {
    const text = await show(await send(form, { ...more, id: running }));
    running = undefined;
    say(text);
  } catch (error) {
    running = undefined;
    say(String(error?.message ?? error).slice(0, 600));
    find('result').replaceChildren();
  }
};

const showRows = async (reply) => {
  const answer = await reply.json();
  find('result').replaceChildren(toTable(answer));
  return describe(answer);
};

const showPlan = async (reply) => {
  const { estimate } = await reply.json();
  const plan = document.createElement('pre');
  plan.textContent = estimate.plan.join('\n');
  find('result').replaceChildren(plan);
  return `About ${count(estimate.rows, 'row')} would be read.`;
};

/** Prefixes texts that spreadsheets would run as a formula. The database quotes every text. */
const withoutFormulas = (csv) => csv.replaceAll(/(^|,)"(?=[=+\-@\t\r])/gm, '$1"\'');

const save = (format) => async (reply) => {
  const link = document.createElement('a');
  const file = format === 'csv' ? new Blob([withoutFormulas(await reply.text())]) : await reply.blob();
  link.href = URL.createObjectURL(file);
  link.download = `query-${reply.headers.get('x-as-of-block')}.${format}`;
  link.click();
  URL.revokeObjectURL(link.href);
  return `Saved as ${link.download}.`;
};

/** Reads, sets or stops the scheduled runs of a saved query, and shows the schedule in the form. */
const schedule = async (form, method, body) => {
  const output = find('schedule-state');
  try {
    output.textContent = await askSchedule(form, method, body);
  } catch {
    output.textContent = 'The service did not answer: try again.';
  }
};

const askSchedule = async (form, method, body) => {
  const init = { method, headers: toHeaders(form), ...(body ? { body: JSON.stringify(body) } : {}) };
  const reply = await fetch(`/api/v1/sql/saved/${form.dataset.sql}/schedule`, init);
  if (reply.status === 204) {
    find('runs')?.remove();
    return 'The regular runs are stopped.';
  }
  const answer = await reply.json();
  if (reply.status === 401) return 'This needs a sign-in on the account page, or an API key.';
  if (!reply.ok) return answer.detail;
  const { minutes, url } = find('schedule').elements;
  [minutes.value, url.value] = [answer.everyMinutes, answer.url ?? ''];
  return describeSchedule(answer);
};

const describeSchedule = ({ everyMinutes, nextRunAt, url, secret, state, lastError }) => {
  const next = new Date(nextRunAt).toLocaleString('en', { timeZoneName: 'short' });
  const receiver = url ? ` Results are sent to ${url}, signed with the key ${secret}.` : ' Results are sent nowhere.';
  const error = state === 'working' ? '' : ` The receiver is ${state}: ${lastError}`;
  return `Runs every ${everyMinutes} minutes, next ${next}.${receiver}${error}`;
};

const openSchedule = (form) => {
  const own = find('schedule');
  if (!own) return;
  own.hidden = false;
  const { minutes, url } = own.elements;
  own.addEventListener('submit', (event) => {
    event.preventDefault();
    const body = { everyMinutes: Number(minutes.value), ...(url.value ? { url: url.value } : {}) };
    void schedule(form, 'POST', body);
  });
  own.querySelector('[data-sql-show]').addEventListener('click', () => void schedule(form, 'GET'));
  own.querySelector('[data-sql-stop]').addEventListener('click', () => void schedule(form, 'DELETE'));
  // fills the form, because setting a schedule without the URL would remove its receiver
  if (own.dataset.sqlSchedule === 'on') void schedule(form, 'GET');
};

const cancel = async (form) => {
  if (running) await fetch(`/api/v1/sql/queries/${running}`, { method: 'DELETE', headers: toHeaders(form) });
};

const keep = async (form) => {
  const title = prompt('Title of the saved query', document.querySelector('h1').textContent);
  if (!title) return;
  const body = JSON.stringify({ title, ...readQuery(form) });
  const post = (path) => fetch(`/api/v1/sql/saved${path}`, { method: 'POST', headers: toHeaders(form), body });
  const own = form.dataset.sql ? await post(`/${form.dataset.sql}/versions`) : undefined;
  const isForeign = own?.status === 404; // save a query of another user as a new one
  const reply = own && !isForeign ? own : await post('');
  const answer = await reply.json();
  if (reply.ok) location.href = answer.path;
  else say(reply.status === 401 ? 'Saving needs a sign-in on the account page, or an API key.' : answer.detail);
};

const actions = [
  ['Run', (form) => run(form, {}, showRows)],
  ['Explain', (form) => run(form, { explain: true }, showPlan)],
  ['Save CSV', (form) => run(form, { format: 'csv' }, save('csv'))],
  ['Save Parquet', (form) => run(form, { format: 'parquet' }, save('parquet'))],
  ['Save Arrow', (form) => run(form, { format: 'arrow' }, save('arrow'))],
  ['Save query', keep],
  ['Cancel', cancel],
];

document.addEventListener('DOMContentLoaded', () => {
  const form = document.querySelector('[data-sql]');
  if (!form) return;
  say('');
  openValues(form);
  openSchedule(form);
  for (const [name, act] of actions) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name;
    button.addEventListener('click', () => void act(form));
    find('tools').append(button, ' ');
  }
});
