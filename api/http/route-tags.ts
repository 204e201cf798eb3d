/** Groups of routes, in the order of the documentation. */

interface RouteTagDocs {
  readonly description: string;
  readonly externalDocs?: { readonly description: string; readonly url: string };
}

const eip = (number: number, title: string) => ({
  description: `EIP-${number}: ${title}`,
  url: `https://eips.ethereum.org/EIPS/eip-${number}`,
});

export const routeTags = {
  stats: { description: 'Totals of the chain, such as the number of transactions.' },
  charts: {
    description:
      'Time series of the chain: Cordscan charts, and the same data in the format of the Blockscout stats service.',
    externalDocs: { description: 'Blockscout stats service', url: 'https://docs.blockscout.com/devs/apis' },
  },
  sql: {
    description: 'Your own SQL queries (ClickHouse) on public views. Each query reads one snapshot of the chain.',
    externalDocs: { description: 'SQL of ClickHouse', url: 'https://clickhouse.com/docs/sql-reference' },
  },
  service: { description: 'Health of the service, and state of its index.' },
  anchors: { description: 'Blocks of the chain; this API calls a block a cord anchor.' },
  transactions: { description: 'Transactions with receipts, logs and token transfers.' },
  tokens: { description: 'TOKEN-20 (ERC-20) and NFT contracts, with their holders and transfers.' },
  search: {
    description:
      'Search for addresses, transactions, blocks (called anchors), tokens and registry entities (such as partners).',
  },
  contracts: {
    description: 'Verified source code of contracts, also in the format of Sourcify.',
    externalDocs: { description: 'API of Sourcify', url: 'https://docs.sourcify.dev/docs/api' },
  },
  accounts: { description: 'Balances, history and holdings of addresses.' },
  markets: { description: 'Price of the native coin, and the venues (exchanges) that trade it.' },
  supply: { description: 'Supply of the native coin, with the sources of each component.' },
  network: {
    description: 'Gas prices, validators and network parameters for wallets.',
    externalDocs: eip(3085, 'wallet_addEthereumChain'),
  },
  registry: {
    description:
      'Named entities and assets of the chain, from the registry manifest (a file that lists them), and AI agents.',
  },
  integration: {
    description:
      'For exchanges that add the chain: rules for deposits and withdrawals, a check of a node, and a contact form.',
  },
  export: { description: 'Exports of the complete history. A row count and a digest prove that no row is missing.' },
  deposits: {
    description: 'For exchanges: watch address sets, list or stream their transfers, list reorgs, and check deposits.',
  },
  identity: {
    description: 'Sign-in with a wallet, and the wallets that belong to an identity.',
    externalDocs: eip(4361, 'Sign-In with Ethereum'),
  },
  account: {
    description: 'Private names of addresses, and notifications of transfers of addresses that you watch.',
    externalDocs: { description: 'Standard Webhooks', url: 'https://www.standardwebhooks.com' },
  },
  keys: { description: 'API keys of an identity (a signed-in user), and how much each key is used.' },
  semantic: {
    description:
      'Search in plain language for events of your linked wallets. Download signed checkpoints: they contain row counts and digests of the index, so that you can check later whether its data changed.',
  },
  withdrawals: {
    description: 'For exchanges: register a signed withdrawal transaction, send it to the chain, and track its state.',
  },
  compatible: {
    description: 'Etherscan-compatible interface, for clients written for other block explorers.',
    externalDocs: { description: 'Etherscan API', url: 'https://docs.etherscan.io' },
  },
  node: {
    description: 'JSON-RPC calls, forwarded to the nodes of the chain.',
    externalDocs: { description: 'JSON-RPC methods', url: 'https://ethereum.github.io/execution-apis/' },
  },
} as const satisfies Readonly<Record<string, RouteTagDocs>>;

export type RouteTag = keyof typeof routeTags;
