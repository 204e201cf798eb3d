import { html } from '../drawing/html.ts';
import { feeds } from './feeds.ts';
import { definePage } from './page.ts';
import { table } from './parts/table.ts';

const sections = [
  [
    'Chain',
    [
      ['/gas', 'Gas', 'what a transaction costs now'],
      ['/pending', 'Pending transactions', 'transactions that wait for a block'],
      ['/tokentxns', 'Token transfers', 'of all tokens, or between two accounts'],
      ['/reorgs', 'Reorgs', 'blocks that were replaced, and what became of their transactions'],
      ['/validators', 'Validators', 'who produces blocks, and who missed a scheduled block'],
      ['/contracts', 'Verified contracts', 'contracts with published source code'],
      ['/checkpoints', 'Checkpoints', 'signed statements of what the index contained'],
      ['/status', 'Status', 'how far the index is, and which nodes answer'],
    ],
  ],
  [
    'Names',
    [
      ['/labels', 'Labels', 'named addresses, organizations and applications'],
      ['/directory', 'Ecosystem', 'projects that run on the chain'],
      ['/agents', 'AI agents', 'agents that registered, and what they stated'],
      ['/assets', 'Tokenized assets', 'assets outside the chain that tokens represent'],
    ],
  ],
  [
    'Tools',
    [
      ['/sql', 'SQL', 'your own queries on all data of the chain'],
      ['/statement', 'Statement of account', 'movements and balances of addresses in a period'],
      ['/account', 'Account', 'API keys, linked wallets, private names, and notifications'],
      ['/contract/verify', 'Verify a contract', 'publish source code'],
      ['/docs', 'API', 'all data of this site as JSON'],
      ...feeds.map(({ path, title }) => [path, `Feed: ${title}`, 'for feed readers, Atom'] as const),
    ],
  ],
] as const;

export const morePage = definePage({
  id: 'more',
  path: '/more',
  nav: 'More',
  maxAgeSeconds: 60,
  handle: async () => ({
    title: 'More',
    body: html`<h1>More</h1><h2>Wallet</h2><p class="network muted">With a wallet in your browser, a button here adds this network to it.</p>${sections.map(
      ([title, links]) =>
        html`<h2>${title}</h2>${table<readonly [path: string, name: string, what: string]>({
          caption: title,
          rows: links,
          empty: '',
          columns: [
            { title: 'Page', cell: ([path, name]) => html`<a href="${path}">${name}</a>` },
            { title: 'What it shows', cell: ([, , what]) => what },
          ],
        })}`,
    )}`,
  }),
});
