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
  stats: { description: 'Totals of the chain.' },
  charts: {
    description: 'Time series of the chain, as own charts and in the format of the Blockscout stats service.',
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
  registry: { description: 'Named entities of the chain: the imported manifest, its labels, assets and AI agents.' },
  integration: { description: 'Rules, self-check and contact for exchanges that integrate the chain.' },
  export: { description: 'Complete exports with a row count and a digest that prove their completeness.' },
  deposits: { description: 'Monitoring of deposit addresses: sets, lists with cursors, streams, reorgs and verdicts.' },
  identity: { description: 'Sign-in with a wallet.', externalDocs: eip(4361, 'Sign-In with Ethereum') },
  keys: { description: 'API keys of an identity and their usage.' },
  semantic: { description: 'Events of linked wallets in plain language, and signed checkpoints of the index.' },
  withdrawals: { description: 'Registration, broadcast and tracking of signed withdrawals.' },
  compatible: {
    description: 'Query interface for clients of other block explorers.',
    externalDocs: { description: 'Etherscan API', url: 'https://docs.etherscan.io' },
  },
  node: {
    description: 'JSON-RPC of the nodes behind the service.',
    externalDocs: { description: 'JSON-RPC methods', url: 'https://ethereum.github.io/execution-apis/' },
  },
} as const satisfies Readonly<Record<string, RouteTagDocs>>;

export type RouteTag = keyof typeof routeTags;
