/** Groups of routes in the docs, in the order in which the docs list them. */

interface RouteTagDocs {
  /** One sentence. */
  readonly description: string;
  /** Standard or foreign documentation that the routes follow. */
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
  service: { description: 'Health of the service and of its index.' },
  anchors: { description: 'Blocks, which the public interface calls cord anchors.' },
  transactions: { description: 'Transactions with receipts, logs and token transfers.' },
  tokens: { description: 'TOKEN-20 and NFT contracts, their holders and transfers.' },
  search: { description: 'One search for addresses, transactions, anchors, tokens and registry entities.' },
  accounts: { description: 'Balances, history and holdings of addresses.' },
  markets: { description: 'Price of the native coin and the venues that trade it.' },
  supply: { description: 'Supply of the native coin, with the sources of each component.' },
  network: {
    description: 'Gas prices, validators and network parameters for wallets.',
    externalDocs: eip(3085, 'wallet_addEthereumChain'),
  },
  registry: {
    description:
      'Named entities of the chain: the manifest (a file that lists them), its labels and assets, and the AI agents.',
  },
  integration: {
    description:
      'For exchanges that integrate the chain: rules for deposits and withdrawals, a check of their node, and a contact form.',
  },
  export: { description: 'Complete exports with a row count and a digest that prove their completeness.' },
  deposits: {
    description:
      'Monitoring of deposits: address sets, their transfers as lists and streams, reorgs, and whether a deposit can be credited.',
  },
  identity: { description: 'Sign-in with a wallet.', externalDocs: eip(4361, 'Sign-In with Ethereum') },
  keys: { description: 'API keys of an identity and their usage.' },
  semantic: {
    description: 'Search for events of your linked wallets in plain language, and signed checkpoints of the index.',
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
