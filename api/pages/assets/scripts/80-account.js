// Signs in with a browser wallet. The access token stays in this tab and is valid for 15 minutes.
const stored = {
  get: (name) => {
    try {
      return sessionStorage.getItem(name);
    } catch {
      return null; // the browser blocks storage
    }
  },
  set: (name, value) => {
    try {
      if (value === undefined) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, value);
    } catch {
      // the browser blocks storage: store nothing
    }
  },
};
let token = stored.get('token');
const setToken = (value, seconds = 0) => {
  token = value;
  stored.set('token', value ?? undefined);
  stored.set('signed-in-until', value ? String(Date.now() + 1_000 * seconds) : undefined);
};
const endSession = () => {
  setToken(null);
  stored.set('tags', undefined);
};
// private names must leave the tab when the token expires
if (Date.now() > Number(stored.get('signed-in-until') ?? Number.POSITIVE_INFINITY)) endSession();

const api = async (path, { method = 'GET', body } = {}) => {
  const reply = await fetch(path, {
    method,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.status === 204) return undefined;
  const answer = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(answer.detail ?? `status ${reply.status}`), { code: answer.code });
  return answer;
};

const element = (name, text, ...children) => {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  made.append(...children);
  return made;
};

const signMessage = async ({ provider }, noncePath) => {
  const [address] = await provider.request({ method: 'eth_requestAccounts' });
  const { message } = await api(noncePath, { method: 'POST', body: { address } });
  const hex = `0x${[...new TextEncoder().encode(message)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  const signature = await provider.request({ method: 'personal_sign', params: [hex, address] });
  return { message, signature };
};

const noWallet = 'This browser offers no wallet yet. Install or unlock one.';

const questions = {
  key: 'Revoke this key? Programs that use it stop working at once, and it cannot be restored.',
  wallet: 'Unlink this wallet? Then the search no longer includes its events.',
  tag: 'Remove this name and its note?',
  replay: 'Send the notifications of all events again, also of those before you created this watch?',
  watch: 'Delete this watch? Its secret and its position are lost.',
};

// Sections of the page: API path of the items, table cells of an item, buttons, and the request that creates an item. A
// button has a text, the method, path and body of its request, and a confirmation question.
const sections = {
  keys: {
    path: '/api/v1/keys',
    columns: ['Key', 'Name', 'Requests today', 'Requests', 'Status'],
    cells: ({ key, name, requests, status }) => [key, name, requests.today, requests.total, status],
    actions: ({ id, status }) =>
      status === 'active' ? [['Revoke', 'DELETE', `/api/v1/keys/${id}`, undefined, questions.key]] : [],
    create: async ({ name }) => {
      const { key } = await api('/api/v1/keys', { method: 'POST', body: { name } });
      return `Your new API key, shown only now: ${key}`;
    },
  },
  wallets: {
    path: '/api/v1/auth/identity',
    items: ({ wallets, identity }) => wallets.map((address) => ({ address, isOwn: identity === `wallet:${address}` })),
    columns: ['Wallet'],
    cells: ({ address }) => [addressLink(address)],
    actions: ({ address, isOwn }) =>
      isOwn ? [] : [['Unlink', 'DELETE', `/api/v1/auth/wallets/${address}`, undefined, questions.wallet]],
    create: async (_, wallet) => {
      if (!wallet) throw new Error(noWallet);
      const body = await signMessage(wallet, '/api/v1/auth/wallets/nonce');
      await api('/api/v1/auth/wallets', { method: 'POST', body });
      return 'The wallet is linked.';
    },
  },
  tags: {
    path: '/api/v1/private-tags',
    columns: ['Address', 'Name', 'Note'],
    cells: ({ address, tag, note }) => [addressLink(address), tag, note],
    actions: ({ address }) => [['Remove', 'DELETE', `/api/v1/private-tags/${address}`, undefined, questions.tag]],
    create: async (body) => {
      await api('/api/v1/private-tags', { method: 'POST', body });
      return 'The name is saved.';
    },
    shown: (items) => {
      stored.set('tags', JSON.stringify(Object.fromEntries(items.map(({ address, tag }) => [address, tag]))));
      showTags();
    },
  },
  watches: {
    path: '/api/v1/watches',
    columns: ['Name', 'Receiver', 'Addresses', 'State', 'Delivered'],
    cells: ({ name, url, addresses, state, delivered, lastError }) => [
      ...[name, url, addresses.length, lastError ? `${state}: ${lastError}` : state, delivered],
    ],
    actions: ({ id, state }) => [
      ...(state === 'working' ? [] : [['Try again now', 'POST', `/api/v1/watches/${id}/replay`, {}]]),
      ['Send all again', 'POST', `/api/v1/watches/${id}/replay`, { after: '0' }, questions.replay],
      ['Delete', 'DELETE', `/api/v1/watches/${id}`, undefined, questions.watch],
    ],
    create: async ({ addresses, url, name }) => {
      const list = addresses.split(/[\s,]+/).filter((text) => text !== '');
      const { secret } = await api('/api/v1/watches', { method: 'POST', body: { addresses: list, url, name } });
      return `Your receiver can check notifications with this secret: ${secret}`;
    },
  },
  checkpoints: {
    path: '/v1/checkpoints?limit=20',
    columns: ['Block', 'Digest', 'Signer'],
    cells: ({ head, root, signer }) => [head, root, addressLink(signer)],
    actions: () => [],
  },
};

const addressLink = (address) => {
  const link = element('a', `${address.slice(0, 8)}…${address.slice(-6)}`);
  link.href = `/address/${address}`;
  link.className = 'hex';
  link.title = address;
  link.dataset.address = address;
  return link;
};

let place;

// Shows private names beside addresses on every page while this tab is signed in.
function showTags() {
  const tags = JSON.parse(stored.get('tags') ?? '{}');
  for (const old of document.querySelectorAll('.private-tag')) old.remove();
  if (place) return; // the account page lists the names itself
  for (const link of document.querySelectorAll('a[data-address], .title [data-address]')) {
    const tag = tags[link.dataset.address.toLowerCase()];
    if (!tag) continue;
    const badge = element('span', tag);
    badge.className = 'badge private-tag';
    badge.title = 'Your private name of this address';
    link.after(' ', badge);
  }
}
document.addEventListener('DOMContentLoaded', showTags);
document.addEventListener('cordscan:shown', showTags);

const wallets = new Map();
const say = (text) => {
  place.querySelector('[data-state]').textContent = text;
};

const attempt = async (work) => {
  try {
    say((await work()) ?? '');
  } catch (error) {
    if (error?.code === 'unauthorized') signOut();
    say(String(error?.message ?? error).slice(0, 300));
  }
};

const button = (text, work) => {
  const made = element('button', text);
  made.type = 'button';
  made.addEventListener('click', () => attempt(work));
  return made;
};

const cell = (title, value) => {
  const made = element('td');
  made.dataset.title = title;
  made.append(value instanceof Node ? value : String(value));
  return made;
};

const roles = [
  ['thead, tbody', 'rowgroup'],
  ['tr', 'row'],
  ['th', 'columnheader'],
  ['td', 'cell'],
];

const load = async (name) => {
  const { path, items = (reply) => reply.items, columns, cells, actions, shown } = sections[name];
  const list = items(await api(path));
  const row = (item) => {
    const buttons = actions(item).map(([text, method, actionPath, body, question]) =>
      button(text, async () => {
        if (question && !confirm(question)) return '';
        await api(actionPath, { method, body });
        await load(name);
        return `${text}: done.`;
      }),
    );
    const action = buttons.length === 0 ? '–' : element('div', '', ...buttons);
    return element('tr', '', ...cells(item).map((value, i) => cell(columns[i], value)), cell('Action', action));
  };
  const heads = [...columns, 'Action'].map((title) => element('th', title));
  const table = element(
    'table',
    '',
    element('thead', '', element('tr', '', ...heads)),
    element('tbody', '', ...list.map(row)),
  );
  table.className = 'rows';
  // the card layout for phones removes the implicit roles
  table.setAttribute('role', 'table');
  for (const [selector, role] of roles)
    for (const part of table.querySelectorAll(selector)) part.setAttribute('role', role);
  const empty = element('p', 'None yet.');
  empty.className = 'muted';
  place.querySelector(`[data-section=${name}] [data-list]`).replaceChildren(list.length > 0 ? table : empty);
  shown?.(list);
};

const signIn = async (wallet) => {
  say('Confirm in your wallet.');
  const body = await signMessage(wallet, '/api/v1/auth/nonce');
  const { accessToken, expiresIn } = await api('/api/v1/auth/sign-in', { method: 'POST', body });
  setToken(accessToken, expiresIn);
  await show();
};

function signOut() {
  endSession();
  void show();
}

const linkButton = ({ info }) => {
  const made = element('button', `Link a wallet of ${String(info.name).slice(0, 40)}`);
  made.value = info.uuid;
  return made;
};

const offer = () => {
  const signIns = [...wallets.values()].map((wallet) =>
    button(`Sign in with ${String(wallet.info.name).slice(0, 40)}`, () => signIn(wallet)),
  );
  const buttons = token ? [button('Sign out', async () => signOut())] : signIns;
  if (buttons.length > 0) place.querySelector('[data-sign-in]').replaceChildren(...buttons);
  if (wallets.size > 1)
    place.querySelector('[data-form=wallets]').replaceChildren(...[...wallets.values()].map(linkButton));
};

async function show() {
  place.classList.toggle('signed-in', Boolean(token));
  offer();
  showTags();
  if (token) await Promise.all(Object.keys(sections).map(load));
}

const submit = (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const name = form.dataset.form;
  void attempt(async () => {
    const [first] = wallets.values();
    const wallet = wallets.get(event.submitter?.value) ?? first;
    const text = await sections[name].create(Object.fromEntries(new FormData(form)), wallet);
    form.reset();
    // an error of the list must not hide the new secret
    await load(name).catch(() => undefined);
    return text;
  });
};

document.addEventListener('DOMContentLoaded', () => {
  place = document.querySelector('[data-account]');
  if (!place) return;
  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    if (!detail?.info?.uuid || !detail.provider) return;
    if (wallets.size === 0) say('');
    wallets.set(detail.info.uuid, detail);
    offer();
  });
  for (const form of place.querySelectorAll('[data-form]')) form.addEventListener('submit', submit);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  void attempt(async () => {
    await show();
    return token || wallets.size > 0 ? '' : `${noWallet.slice(0, -1)} to sign in here.`;
  });
});
