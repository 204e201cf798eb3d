/** SQL of each dataset over the public views (sql/views), for clients. */
import { zeroAddress } from '#chain/codec/hex.ts';
import type { DatasetName, FilterName } from './datasets.ts';
import type { Filters } from './select-rows.ts';

interface PublicRows {
  readonly view: string;
  /** SQL of fields and keys whose view column has another name. */
  readonly columns: Readonly<Record<string, string>>;
  /** Rows with null in this column belong to no group. */
  readonly nullable?: string;
  /** Conditions that define the dataset. */
  readonly conditions?: readonly string[];
}

const sides = { sender: '`from`', recipient: '`to`' } as const;
/** As text, because text and the view's Enum sort differently. Qualified, because the alias has the same name. */
const standard = 'toString(token_transfers.standard)';

/** Account that a transaction reached; null if a contract creation failed. */
const reached = `if(\`to\` IS NULL AND ifNull(transactions.status, 1) = 0, NULL, ifNull(ifNull(\`to\`, contract_address), '${zeroAddress}'))`;

const transactions: PublicRows = {
  view: 'transactions',
  columns: {
    sender: '`from`',
    recipient: reached,
    method: "if(`to` IS NULL, '', method_id)",
    status: "if(ifNull(transactions.status, 1) = 1, 'success', 'failure')",
  },
  nullable: 'recipient',
};

const isTrade = [
  "token_transfers.standard != 'erc20'",
  `\`from\` != \`to\` AND \`from\` != '${zeroAddress}' AND \`to\` != '${zeroAddress}'`,
] as const;

const publicRows: Readonly<Record<DatasetName, PublicRows>> = {
  transactions,
  coin_transfers: { ...transactions, conditions: ['ifNull(transactions.status, 1) = 1', 'value > 0'] },
  native_transfers: { view: 'native_transfers', columns: sides },
  token_transfers: { view: 'token_transfers', columns: { ...sides, standard } },
  logs: {
    view: 'logs',
    columns: { contract: 'address', topic: "if(topic_count = 0, '', concat('0x', lower(hex(topic0))))" },
  },
  blocks: {
    view: 'blocks',
    columns: {
      producer: 'miner',
      // 64-bit sums could overflow
      gas_used: 'toUInt256(blocks.gas_used)',
      gas_limit: 'toUInt256(blocks.gas_limit)',
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
  nft_trades: { view: 'token_transfers', columns: { ...sides, standard }, conditions: isTrade },
};

/** Returns conditions that exclude rows in which one of these columns is null. */
export const excludeNulls = (of: DatasetName, names: readonly string[]): readonly string[] =>
  names.filter((name) => name === publicRows[of].nullable).map((name) => `${publicColumn(of, name)} IS NOT NULL`);

export const publicColumn = (of: DatasetName, name: string): string => publicRows[of].columns[name] ?? name;

export const publicView = (of: DatasetName): string => publicRows[of].view;

export interface PublicConditions {
  readonly conditions: readonly string[];
  /** Values by list name. Addresses, topics and methods have 0x. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Returns the conditions that define a dataset. @param range condition on block_number */
export function datasetConditions(of: DatasetName, { token }: Filters, range: string): readonly string[] {
  const { conditions = [] } = publicRows[of];
  if (of !== 'nft_trades') return [range, ...conditions];
  const ofToken = token ? ' AND token IN token_list' : '';
  const ofSales = `(block_number, tx_index) IN (SELECT block_number, tx_index FROM token_transfers WHERE ${range} AND standard != 'erc20'${ofToken})`;
  // the recipient pays in the same transaction
  const payers = [
    `SELECT block_number, tx_index, \`from\` FROM transactions WHERE ${range} AND value > 0 AND ${ofSales}`,
    `SELECT block_number, tx_index, \`from\` FROM token_transfers WHERE ${range} AND standard = 'erc20' AND value > 0 AND \`from\` != \`to\` AND ${ofSales}`,
  ];
  return [range, ...conditions, `(block_number, tx_index, \`to\`) IN (${payers.join(' UNION ALL ')})`];
}

const columnFilters = [
  'sender',
  'recipient',
  'creator',
  'producer',
  'token',
  'method',
  'kind',
  'type',
  'standard',
  'status',
] as const;

/** Returns the conditions of filters. Views sorted by account or contract select the rows first. */
export function filterConditions(of: DatasetName, filters: Filters, range: string): PublicConditions {
  const { account, counterparty, minValue, maxValue } = filters;
  const lists = new Map<string, readonly string[]>();
  const toList = (name: FilterName, values: readonly string[]) => {
    lists.set(`${name}_list`, valuesInSql(name, values));
    return `${name}_list`;
  };
  const isIn = (name: FilterName) => filters[name] && `${publicColumn(of, name)} IN ${toList(name, filters[name])}`;
  const [sender, recipient] = [publicColumn(of, 'sender'), publicColumn(of, 'recipient')];
  const accounts = account && toList('account', account);
  const others = counterparty && toList('counterparty', counterparty);
  const given = [
    account && `(${sender} IN ${accounts} OR ${recipient} IN ${accounts})`,
    account &&
      counterparty &&
      `(${sender} IN ${accounts} AND ${recipient} IN ${others} OR ${recipient} IN ${accounts} AND ${sender} IN ${others})`,
    ...columnFilters.map(isIn),
    filters.contract && `address IN ${toList('contract', filters.contract)}`,
    ...([0, 1, 2, 3] as const).map((at) => {
      const topics = filters[`topic${at}`];
      return topics && `topic_count > ${at} AND topic${at} IN ${toList(`topic${at}`, topics)}`;
    }),
    minValue && `value >= toUInt256('${minValue[0]}')`,
    maxValue && `value <= toUInt256('${maxValue[0]}')`,
    rowsByPosition(of, filters, range),
  ];
  return { conditions: given.filter((condition) => condition !== undefined), lists };
}

function valuesInSql(name: FilterName, values: readonly string[]): readonly string[] {
  if (name === 'status') return [values[0] === '1' ? "'success'" : "'failure'"];
  if (name === 'type') return values.map((value) => String(Number(value)));
  const prefix = name === 'kind' || name === 'standard' ? '' : '0x';
  // a transaction that calls no method has an empty method id
  return values.map((value) => (value === '' ? "''" : `'${prefix}${value}'`));
}

/** Selects rows by position, from a view sorted by account or contract. */
function rowsByPosition(of: DatasetName, filters: Filters, range: string): string | undefined {
  const select = (position: string, view: string, list: string, more = '') =>
    `(${position}) IN (SELECT ${position} FROM ${view} WHERE address IN ${list} AND ${range}${more})`;
  if (of === 'logs') {
    const ofTopic = filters.topic0 ? ' AND topic0 IN topic0_list' : '';
    return filters.contract && select('block_number, log_index', 'log_positions', 'contract_list', ofTopic);
  }
  const name = (['account', 'sender', 'recipient'] as const).find((each) => filters[each] !== undefined);
  const accounts = name && filters[name];
  if (!accounts) return undefined;
  if (of === 'transactions' || of === 'coin_transfers')
    return select('block_number, tx_index', 'account_transactions', `${name}_list`, " AND role != 'log'");
  // the view lacks the zero address
  if (of !== 'token_transfers' || accounts.includes(zeroAddress.slice(2))) return undefined;
  return select('block_number, log_index, batch_index', 'account_token_transfers', `${name}_list`);
}
