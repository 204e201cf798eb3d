/**
 * Page of a signed-in user, the same for everyone. A script signs in with a wallet, stores the access token in this
 * tab, and fills the sections from the API.
 */
import { type Html, html } from '../drawing/html.ts';
import { definePage } from './page.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly maxLength: number;
  readonly isOptional?: boolean;
}

interface Section {
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly submit?: string;
  readonly fields: readonly Field[];
}

const address: Field = { name: 'address', label: 'Address', maxLength: 42 };

const sections: readonly Section[] = [
  {
    name: 'keys',
    title: 'API keys',
    note: 'A key is shown only once, when you create it.',
    submit: 'Create a key',
    fields: [{ name: 'name', label: 'Name', maxLength: 64, isOptional: true }],
  },
  {
    name: 'wallets',
    title: 'Linked wallets',
    note: 'To link a wallet, make its account the active one in your wallet program, and sign a message with it. The search for your events includes all linked wallets.',
    submit: 'Link another wallet',
    fields: [],
  },
  {
    name: 'tags',
    title: 'Private name tags',
    note: 'Only you see these names. Pages show them beside the addresses while you are signed in.',
    submit: 'Save the name',
    fields: [
      address,
      { name: 'tag', label: 'Name', maxLength: 64 },
      { name: 'note', label: 'Note', maxLength: 500, isOptional: true },
    ],
  },
  {
    name: 'watches',
    title: 'Watch list',
    note: 'Cordscan sends transfers of these addresses to your URL, signed and in order. After a failure, it sends them again.',
    submit: 'Watch',
    fields: [
      { name: 'addresses', label: 'Addresses, separated by commas', maxLength: 22_000 },
      { name: 'url', label: 'URL of your receiver', maxLength: 2_000 },
      { name: 'name', label: 'Name', maxLength: 64, isOptional: true },
    ],
  },
  {
    name: 'checkpoints',
    title: 'Checkpoints',
    note: 'Signed statements of what the index contained.',
    fields: [],
  },
];

export const accountPage = definePage({
  id: 'account',
  path: '/account',
  maxAgeSeconds: 60,
  isUnpinned: true,
  handle: async () => ({
    title: 'Account',
    body: html`<h1>Account</h1><div class="account" data-account><div data-sign-in><p>Sign in with a wallet of your browser, which signs a message and sends no transaction. Without scripts or a wallet, use the API.</p><p><a href="/docs#sign-in">Sign-in through the API</a></p></div><p role="status" data-state></p>${sections.map(section)}</div>`,
  }),
});

function section({ name, title, note, submit, fields }: Section): Html {
  return html`<section data-section="${name}"><h2>${title}</h2><p class="muted">${note}</p><div data-list></div>${
    submit !== undefined &&
    html`<form class="filter" action="/account" data-form="${name}">${fields.map(field)}<button>${submit}</button></form>`
  }</section>`;
}

const field = ({ name, label, maxLength, isOptional }: Field): Html =>
  html`<label>${label} <input name="${name}" maxlength="${maxLength}" autocomplete="off" spellcheck="false"${!isOptional && html` required`}></label>`;
