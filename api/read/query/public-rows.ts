/** Rows of each dataset as SQL over the public views (sql/views), for clients. */
import { zeroAddress } from '#chain/codec/hex.ts';
import type { DatasetName, FilterName } from './datasets.ts';
import type { Filters } from './select-rows.ts';

interface PublicRows {
  readonly view: string;
  /** SQL of fields and keys whose view column has another name. */
  readonly columns: Readonly<Record<string, string>>;
  /** Conditions that all rows of the dataset satisfy. */
  readonly conditions?: readonly string[];
}

const sides = { sender: '`from`', recipient: '`to`' } as const;

const transactions: PublicRows = {
  view: 'transactions',
  columns: {
    sender: '`from`',
    recipient: `ifNull(ifNull(\`to\`, contract_address), '${zeroAddress}')`,
    method: "if(`to` IS NULL, '', method_id)",
    status: "if(ifNull(transactions.status, 1) = 1, 'success', 'failure')",
  },
};

const isTrade = [
  "standard != 'erc20'",
  `\`from\` != \`to\` AND \`from\` != '${zeroAddress}' AND \`to\` != '${zeroAddress}'`,
] as const;

const publicRows: Readonly<Record<DatasetName, PublicRows>> = {
  transactions,
  coin_transfers: { ...transactions, conditions: ['ifNull(transactions.status, 1) = 1', 'value > 0'] },
  native_transfers: { view: 'native_transfers', columns: sides },
  token_transfers: { view: 'token_transfers', columns: sides },
  logs: { view: 'logs', columns: { contract: 'address', topic: 'topic0' } },
  blocks: {
    view: 'blocks',
    columns: {
      producer: 'miner',
      base_fee: 'base_fee_per_gas',
      transactions: 'transaction_count',
      logs: 'log_count',
      blob_gas: 'ifNull(blob_gas_used, 0)',
      blob_fees: 'burned - ifNull(base_fee_per_gas, 0) * gas_used',
    },
  },
  contracts: { view: 'contracts', columns: {} },
  internal_creations: {
    view: 'traces',
    columns: { creator: '`from`' },
    conditions: ["type IN ('create', 'create2')", "error = ''", '`to` IS NOT NULL'],
  },
  nft_trades: { view: 'token_transfers', columns: sides, conditions: isTrade },
};

/** Returns SQL of a field or key. */
export const publicColumn = (of: DatasetName, name: string): string => publicRows[of].columns[name] ?? name;

export const publicView = (of: DatasetName): string => publicRows[of].view;

/** Returns the conditions of a dataset without filters. @param range condition on block_number */
export function datasetConditions(of: DatasetName, range: string): readonly string[] {
  const { conditions = [] } = publicRows[of];
  if (of !== 'nft_trades') return [range, ...conditions];
  // the recipient pays in the same transaction
  const payers = [
    `SELECT block_number, tx_index, \`from\` FROM transactions WHERE ${range} AND value > 0`,
    `SELECT block_number, tx_index, \`from\` FROM token_transfers WHERE ${range} AND standard = 'erc20' AND value > 0 AND \`from\` != \`to\``,
  ];
  return [range, ...conditions, `(block_number, tx_index, \`to\`) IN (${payers.join(' UNION ALL ')})`];
}

/** Returns the conditions of filters. Views sorted by account or contract select the rows first. */
export function filterConditions(of: DatasetName, filters: Filters): readonly string[] {
  const { account, counterparty, minValue, maxValue } = filters;
  const [sender, recipient] = [publicColumn(of, 'sender'), publicColumn(of, 'recipient')];
  const toCondition = (name: FilterName) => filters[name] && isIn(of, name, filters[name]);
  const listed: readonly FilterName[] = ['sender', 'recipient', 'creator', 'producer', 'token', 'method', 'kind'];
  const given = [
    firstRows(of, filters),
    account && `(${sender} IN ${addresses(account)} OR ${recipient} IN ${addresses(account)})`,
    account &&
      counterparty &&
      `(${sender} IN ${addresses(account)} AND ${recipient} IN ${addresses(counterparty)} OR ${recipient} IN ${addresses(account)} AND ${sender} IN ${addresses(counterparty)})`,
    ...listed.map(toCondition),
    ...(['type', 'standard', 'status'] as const).map(toCondition),
    ...([0, 1, 2, 3] as const).map((at) => {
      const topics = filters[`topic${at}`];
      return topics && `topic_count > ${at} AND topic${at} IN ${addresses(topics)}`;
    }),
    minValue && `value >= toUInt256('${minValue[0]}')`,
    maxValue && `value <= toUInt256('${maxValue[0]}')`,
  ];
  return given.filter((condition) => condition !== undefined);
}

function isIn(of: DatasetName, name: FilterName, values: readonly string[]): string {
  const column = publicColumn(of, name);
  if (name === 'status') return `${column} = '${values[0] === '1' ? 'success' : 'failure'}'`;
  if (name === 'type') return `${column} IN (${values.map(Number).join(', ')})`;
  const isText = name === 'kind' || name === 'standard';
  return `${column} IN ${isText ? list(values) : addresses(values)}`;
}

const list = (values: readonly string[]) => `(${values.map((value) => `'${value}'`).join(', ')})`;
/** @param values hex digits of addresses, topics or methods */
const addresses = (values: readonly string[]) => list(values.map((digits) => `0x${digits}`));

/** Returns a condition that selects rows by their position, from a view that is sorted by account or contract. */
function firstRows(of: DatasetName, { account, sender, recipient, contract }: Filters): string | undefined {
  const accounts = account ?? sender ?? recipient;
  const select = (position: string, view: string, values: readonly string[]) =>
    `(${position}) IN (SELECT ${position} FROM ${view} WHERE address IN ${addresses(values)})`;
  if (of === 'logs') return contract && select('block_number, log_index', 'log_positions', contract);
  if (!accounts) return undefined;
  if (of === 'transactions' || of === 'coin_transfers')
    return select('block_number, tx_index', 'account_transactions', accounts);
  // the view lacks the zero address
  if (of !== 'token_transfers' || accounts.includes(zeroAddress.slice(2))) return undefined;
  return select('block_number, log_index, batch_index', 'account_token_transfers', accounts);
}
