/** Page scripts with stubs of the browser functions that they use. */
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import test from 'ava';
import { detectDisguise, readableText } from '#api/pages/parts/chain-text.ts';
import { hostileNames } from '../fixtures/hostile-names.ts';

const folder = 'api/pages/assets/scripts';

/** Runs a script. @returns the value of the expression `result` in the script */
function run(file: string, globals: object, result = 'undefined'): unknown {
  return runInContext(`${readFileSync(`${folder}/${file}`, 'utf8')}\n;${result}`, createContext(globals));
}

interface FakeElement {
  textContent: string;
  readonly children: FakeElement[];
}

const createElement = () => {
  const children: FakeElement[] = [];
  const append = (...added: FakeElement[]) => void children.push(...added);
  return { textContent: '', dataset: {}, children, append, setAttribute: () => {} };
};

test('suggestions show the digits of an address instead of a name that hides or imitates something', (t) => {
  const document = { createElement, addEventListener: () => {} };
  const createOption = run('25-suggest.js', { document }, 'createOption') as (item: object, i: number) => FakeElement[];
  const address = '0x1234567890abcdef1234567890abcdef12345678';
  const shown = (item: object) =>
    createOption({ address, ...item }, 0)[0]!.children.map(({ textContent }) => textContent);
  const digits = '0x123456…345678';
  const spaced = ['0 x 7 0 9 9', '0\u200bx7099', 'evil\u200b.example', 'Оx70997970', '0xabcdefabcdef'];
  for (const name of [...hostileNames, ...spaced]) {
    const disguise = detectDisguise(name, '');
    const isUnsafe = disguise !== undefined || readableText(name.trim(), 'text') !== name.normalize('NFC');
    if (!isUnsafe) continue;
    t.deepEqual(shown({ type: 'address', name }), [digits, 'address'], JSON.stringify(name));
    t.deepEqual(shown({ type: 'token', token: { address, name, symbol: 'OK' } }), [digits, 'token']);
    t.deepEqual(shown({ type: 'nft', token: { address, name: 'OK', symbol: name } }), [digits, 'NFT']);
  }
  for (const name of ['Tether USD', 'Oxford', 'Acme Inc.', '東京 円', 'العربية', 'stETH 1.5', '💸'])
    t.deepEqual(shown({ type: 'token', token: { address, name, symbol: 'ACME' } }), [
      `${name} ACME`,
      `token ${digits}`,
    ]);
  t.deepEqual(shown({ type: 'address', name: null }), [address, 'address']);
  t.deepEqual(shown({ type: 'transaction', txHash: `0x${'ab'.repeat(32)}` }), [
    `Transaction 0x${'ab'.repeat(32)}`,
    'transaction',
  ]);
});

interface Browser {
  reloads: number;
  readonly location: { pathname: string; search: string };
  fire(name: string, event?: object): void;
}

function openLivePage(): Browser {
  const listeners = new Map<string, (event: object) => void>();
  const addEventListener = (name: string, listener: (event: object) => void) => void listeners.set(name, listener);
  const location = { pathname: '/charts/newTxns', search: '', href: '', reload: () => void browser.reloads++ };
  const goTo = (url: string) => {
    const { pathname, search } = new URL(url);
    Object.assign(location, { pathname, search });
  };
  const browser = { reloads: 0, location, fire: (name: string, event = {}) => listeners.get(name)?.(event) };
  const document = { addEventListener, querySelectorAll: () => [], dispatchEvent: () => {} };
  run('50-live.js', {
    ...{ document, location, addEventListener, AbortController, Event, setTimeout, clearTimeout },
    history: { pushState: (_: null, __: string, url: string) => goTo(url) },
    fetch: () => new Promise(() => {}),
  });
  return browser;
}

test('a step to a fragment reloads nothing, and a step to another page or query does', (t) => {
  const browser = openLivePage();
  browser.fire('popstate');
  t.is(browser.reloads, 0, 'a link to a fragment');
  browser.fire('cordscan:go', { detail: 'http://localhost/charts/newTxns?from=1' });
  browser.fire('popstate');
  t.is(browser.reloads, 0, 'a link to a fragment after a zoom');
  browser.location.search = '';
  browser.fire('popstate');
  t.is(browser.reloads, 1, 'back from the zoom');
});

test('a form that is sent again with the same values asks the server again', (t) => {
  const browser = openLivePage();
  browser.fire('submit', { defaultPrevented: true });
  browser.fire('popstate');
  t.is(browser.reloads, 0, 'a script sent the form');
  browser.fire('submit', { defaultPrevented: false });
  browser.fire('popstate');
  t.is(browser.reloads, 1);
});
