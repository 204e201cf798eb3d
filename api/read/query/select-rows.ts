import { zeroAddress } from '#chain/codec/hex.ts';
import type { Parameters } from '#sql/parameters.ts';
import type { ReadingName } from '#sql/statement-types.ts';
import type { DatasetName, FilterName } from './datasets.ts';

/** Addresses and bytes: hex digits; numbers: decimals. */
export type Filters = Partial<Record<FilterName, readonly string[]>>;

export type QueryStatement = Extract<ReadingName, `query_${string}`>;

/** Statement whose primary key selects the fewest rows. */
export interface RowSelection {
  readonly statement: QueryStatement;
  /** Optional conditions of the statement. */
  readonly asked: readonly string[];
  readonly parameters: Parameters;
}

export function selectRows(of: DatasetName, filters: Filters): RowSelection {
  switch (of) {
    case 'transactions':
    case 'coin_transfers':
      return selectTransactions(of, filters);
    case 'native_transfers':
      return selectNativeTransfers(filters);
    case 'token_transfers':
      return selectTransfers(filters);
    case 'logs': {
      const { contract, topic0, topic1, topic2, topic3 } = filters;
      return select('query_logs', {
        contracts: contract,
        ...{ topics0: topic0, topics1: topic1, topics2: topic2, topics3: topic3 },
      });
    }
    case 'blocks':
      return select('query_blocks', { producers: filters.producer });
    case 'contracts':
      return select('query_contracts', { creators: filters.creator });
    case 'internal_creations':
      return select('query_internal_creations', { creators: filters.creator });
    case 'nft_trades': {
      const { sender, recipient, token, standard } = filters;
      return select('query_nft_trades', { senders: sender, recipients: recipient, tokens: token, standards: standard });
    }
  }
}

/** Bits of the column address_roles.roles. */
const roleBits = { sender: 1, recipient: 2 } as const;

function selectTransactions(of: DatasetName, filters: Filters): RowSelection {
  const { account, sender, recipient } = filters;
  const isTransfer = of === 'coin_transfers';
  const conditions = {
    methods: filters.method,
    types: filters.type?.map(Number),
    outcome: isTransfer ? 1 : filters.status && Number(filters.status[0]),
    least: isTransfer ? String(max(1n, filters.minValue?.[0])) : filters.minValue?.[0],
    most: filters.maxValue?.[0],
  };
  const accounts = account ?? sender ?? recipient;
  if (!accounts) return select('query_transactions', conditions);
  return select(
    'query_account_transactions',
    { ...conditions, ...selectSides(filters) },
    { accounts, roles: selectRoles(filters) },
  );
}

function selectNativeTransfers(filters: Filters): RowSelection {
  const { account, sender, recipient, kind, minValue, maxValue } = filters;
  const conditions = { kinds: kind, least: minValue?.[0], most: maxValue?.[0] };
  const accounts = account ?? sender ?? recipient;
  if (!accounts) return select('query_native_transfers', conditions);
  return select(
    'query_account_native_transfers',
    { ...conditions, ...selectSides(filters) },
    { accounts, roles: selectRoles(filters) },
  );
}

/** Returns the roles of the addresses that select the rows: those of `account`, else `sender`, else `recipient`. */
function selectRoles({ account, sender }: Filters): number {
  if (account) return roleBits.sender + roleBits.recipient;
  return sender ? roleBits.sender : roleBits.recipient;
}

/** Returns conditions for the filters that do not select the rows. */
function selectSides({ account, counterparty, sender, recipient }: Filters) {
  const senders = account && sender;
  const recipients = account || sender ? recipient : undefined;
  return { senders, recipients, counterparties: counterparty };
}

const max = (least: bigint, given: string | undefined): bigint =>
  given !== undefined && BigInt(given) > least ? BigInt(given) : least;

/** The table by address lacks the zero address. */
const isZero = (addresses: readonly string[] | undefined) => addresses?.includes(zeroAddress.slice(2)) === true;

function selectTransfers(filters: Filters): RowSelection {
  const { account, counterparty, sender, recipient, token } = filters;
  const conditions = {
    tokens: token,
    standards: filters.standard,
    least: filters.minValue?.[0],
    most: filters.maxValue?.[0],
  };
  const accounts = account ?? sender ?? recipient;
  const isOneSided = !(account && (sender || recipient));
  if (!accounts || isZero(accounts) || !isOneSided)
    return select('query_transfers', {
      ...conditions,
      ...{ senders: sender, recipients: recipient, accounts: account, counterparties: counterparty },
    });
  const sides = account ? ['out', 'in'] : sender ? ['out'] : ['in'];
  const others = account ? undefined : sender && recipient;
  const both = { others, counterparties: counterparty };
  return select('query_account_transfers', { ...conditions, ...both }, { accounts, sides });
}

/** @param conditions parameters by condition; undefined values are skipped */
function select(
  statement: QueryStatement,
  conditions: Readonly<Record<string, unknown>>,
  parameters: Parameters = {},
): RowSelection {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return {
    statement,
    asked: given.map(([name]) => name),
    parameters: { ...parameters, ...(Object.fromEntries(given) as Parameters) },
  };
}
