export const measures = [
  'count',
  'sum',
  'average',
  'min',
  'max',
  'p50',
  'p90',
  'p99',
  'distinct',
  'new',
  'share',
] as const;
export type Measure = (typeof measures)[number];

export const filterNames = [
  'account',
  'counterparty',
  'sender',
  'recipient',
  'contract',
  'creator',
  'producer',
  'token',
  'method',
  'topic0',
  'topic1',
  'topic2',
  'topic3',
  'type',
  'status',
  'standard',
  'kind',
  'minValue',
  'maxValue',
] as const;
export type FilterName = (typeof filterNames)[number];

/** Causes of coin transfers: the transaction itself, or the type of an internal call. */
export const transferKinds = ['transaction', 'call', 'create', 'create2', 'selfdestruct'] as const;

/** Recipient of a transaction whose contract creation failed. */
export const noKey = 'none';

/** Form of a key in replies. `bytes`: hex of any length. */
export type KeyForm = 'address' | 'bytes' | 'text';

export interface Dataset {
  readonly title: string;
  /** Unit by numeric field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly keys: Readonly<Record<string, KeyForm>>;
  readonly filters: readonly FilterName[];
}

const ofTransactions = {
  fields: { value: 'wei', fee: 'wei', gas_used: 'gas', gas_price: 'wei per gas' },
  keys: { sender: 'address', recipient: 'address', method: 'bytes', type: 'text', status: 'text' },
} as const;
const transactionFilters = ['account', 'counterparty', 'sender', 'recipient', 'method', 'type'] as const;
const valueFilters = ['minValue', 'maxValue'] as const;

export const datasets = {
  transactions: {
    title: 'Transactions',
    ...ofTransactions,
    filters: [...transactionFilters, 'status', ...valueFilters],
  },
  coin_transfers: {
    title: 'Transfers of the coin by successful transactions, without internal transfers',
    ...ofTransactions,
    filters: [...transactionFilters, ...valueFilters],
  },
  native_transfers: {
    title: 'Transfers of the coin by transactions and by contracts (internal transfers), from the traces of all blocks',
    fields: { value: 'wei' },
    keys: { sender: 'address', recipient: 'address', kind: 'text' },
    filters: ['account', 'counterparty', 'sender', 'recipient', 'kind', ...valueFilters],
  },
  token_transfers: {
    title: 'Token transfers',
    fields: { value: 'smallest unit of the token' },
    keys: { token: 'address', standard: 'text', sender: 'address', recipient: 'address' },
    filters: ['account', 'counterparty', 'sender', 'recipient', 'token', 'standard', ...valueFilters],
  },
  logs: {
    title: 'Event logs',
    fields: {},
    keys: { contract: 'address', topic: 'bytes' },
    filters: ['contract', 'topic0', 'topic1', 'topic2', 'topic3'],
  },
  blocks: {
    title: 'Blocks',
    fields: {
      gas_used: 'gas',
      gas_limit: 'gas',
      base_fee: 'wei per gas',
      burned: 'wei',
      fees: 'wei',
      size: 'bytes',
      transactions: 'transactions',
      logs: 'logs',
      blob_gas: 'gas',
      blob_fees: 'wei',
    },
    keys: { producer: 'address' },
    filters: ['producer'],
  },
  contracts: {
    title: 'Contracts created by transactions',
    fields: {},
    keys: { creator: 'address' },
    filters: ['creator'],
  },
  internal_creations: {
    title: 'Contracts created by contracts, from the traces of all blocks',
    fields: {},
    keys: { creator: 'address' },
    filters: ['creator'],
  },
  nft_trades: {
    title:
      'NFT sales: transfers between two accounts (no mints) in which the recipient pays coins or an ERC-20 token in the same transaction',
    fields: {},
    keys: { token: 'address', standard: 'text', sender: 'address', recipient: 'address' },
    filters: ['sender', 'recipient', 'token', 'standard'],
  },
} as const satisfies Record<string, Dataset>;

export type DatasetName = keyof typeof datasets;
export const datasetNames = Object.keys(datasets) as [DatasetName, ...DatasetName[]];

/** SQL column names that differ from API names. */
const columns: Readonly<Record<string, string>> = { status: 'outcome' };
export const getColumn = (name: string): string => columns[name] ?? name;
