// Suggestions below the search field while the user types. @source WAI-ARIA 1.2, combobox with a listbox popup
const [leastLetters, waitMs, most] = [2, 150, 8];

const places = {
  anchor: (item) => [`/block/${item.number}`, `Block ${item.number.toLocaleString('en')}`],
  transaction: (item) => [`/tx/${item.txHash}`, `Transaction ${item.txHash}`],
  address: (item) => [`/address/${item.address}`, item.name ?? item.address],
  entity: (item) => [item.address ? `/address/${item.address}` : `/entity/${item.id}`, item.label ?? item.kind],
  token: ({ token }) => [`/token/${token.address}`, `${token.name ?? ''} ${token.symbol ?? ''}`],
  nft: ({ token }) => [`/nft/${token.address}`, `${token.name ?? ''} ${token.symbol ?? ''}`],
  method: ({ kind, selector, signature }) => [
    {
      function: `/txs?method=${selector}`,
      event: `/charts/query?of=logs&topic0=${selector}&groupBy=contract&resolution=all`,
    }[kind],
    signature,
  ],
};
const kinds = { anchor: 'block', transaction: 'transaction', address: 'address', nft: 'NFT' };

// Simpler forms of the patterns in parts/chain-text.ts, because anyone can choose the name of a token or contract. A
// test compares both.
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u3164\uffa0]|\p{M}{3}/u;
const likeAddress = /(?<![\p{L}\p{N}])0\s*x(?:[0-9a-f]{6}|(?=[^\n]{0,64}\d)(?:\s*[0-9a-f.…]){4})/iu;
const likeLink =
  /:\s*\/\/|\bwww\b|[\p{L}\p{N}]\s*[.\u3002\uff0e\uff61\u2024]\s*\p{L}{2,}|^\s*(javascript|data|vbscript|mailto)\s*:/iu;
const [lookAlikes, digits] = ['хχ×оοoø〇аαɑсеεԁьвßғƒ', 'xxx00000aaaceedbbbff'];

const isDisguised = (name) => {
  const bare = name.normalize('NFKC');
  const folded = [...bare.toLowerCase()].map((letter) => digits[lookAlikes.indexOf(letter)] ?? letter).join('');
  return invisible.test(name) || likeAddress.test(folded) || likeLink.test(bare) || likeLink.test(name);
};

const shorten = (hex) => `${hex.slice(0, 8)}…${hex.slice(-6)}`;

const createList = (input) => {
  const list = document.createElement('ul');
  list.id = 'suggestions';
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  input.form.append(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-expanded', 'false');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-autocomplete', 'list');
  return list;
};

const createOption = (item, i) => {
  const [href, text] = places[item.type]?.(item) ?? [];
  if (href === undefined) return [];
  const option = document.createElement('li');
  option.id = `suggestion-${i}`;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  option.dataset.href = href;
  const { token, name } = item;
  const address = token?.address ?? (name ? item.address : undefined);
  const isHidden = [token?.name, token?.symbol, name].some((one) => one && isDisguised(one));
  const shown = document.createElement('bdi');
  shown.textContent = isHidden ? shorten(address) : text.slice(0, 80);
  const kind = document.createElement('small');
  kind.textContent = `${kinds[item.type] ?? item.kind ?? item.type}${address && !isHidden ? ` ${shorten(address)}` : ''}`;
  option.append(shown, kind);
  return [option];
};

const fill = (input, list, items) => {
  // an address and its label lead to the same page
  const options = new Map(items.flatMap(createOption).map((option) => [option.dataset.href, option]));
  list.replaceChildren(...options.values());
  list.hidden = options.size === 0;
  input.setAttribute('aria-expanded', String(!list.hidden));
  input.removeAttribute('aria-activedescendant');
};

const select = (input, list, step) => {
  const options = [...list.children];
  const now = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
  const next = now === -1 ? options.at(step > 0 ? 0 : -1) : options[(now + step + options.length) % options.length];
  for (const option of options) option.setAttribute('aria-selected', String(option === next));
  input.setAttribute('aria-activedescendant', next.id);
};

const createAsker = (input, list) => {
  let running;
  return async () => {
    running?.abort();
    running = new AbortController();
    const text = input.value.trim();
    if (text.length < leastLetters || document.activeElement !== input) return fill(input, list, []);
    try {
      const query = new URLSearchParams({ q: text, limit: String(most) });
      const reply = await fetch(`/api/v1/search?${query}`, { signal: running.signal });
      const items = reply.ok ? (await reply.json()).items : [];
      fill(input, list, document.activeElement === input ? items : []);
    } catch {
      // a later key press cancelled the request, or the request failed: the user can still search
    }
  };
};

const suggest = (input) => {
  const list = createList(input);
  const ask = createAsker(input, list);
  let timer;
  input.addEventListener('input', () => {
    fill(input, list, []); // discards a choice made for the previous text
    clearTimeout(timer);
    timer = setTimeout(ask, waitMs);
  });
  input.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const chosen = list.querySelector('[aria-selected="true"]');
    if (event.key === 'Escape') fill(input, list, []);
    else if (event.key === 'ArrowDown') select(input, list, 1);
    else if (event.key === 'ArrowUp') select(input, list, -1);
    else if (event.key === 'Enter' && chosen) location.assign(chosen.dataset.href);
    else return;
    event.preventDefault();
  });
  // not `click`: the search field would first lose the focus, which closes the list
  list.addEventListener('pointerdown', (event) => {
    const option = event.target.closest('[data-href]');
    if (!option || event.button !== 0) return;
    event.preventDefault();
    location.assign(option.dataset.href);
  });
  input.addEventListener('blur', () => fill(input, list, []));
};

document.addEventListener('DOMContentLoaded', () => {
  for (const input of document.querySelectorAll('.search input')) suggest(input);
});
