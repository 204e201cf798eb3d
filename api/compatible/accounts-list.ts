/**
 * Actions that Blockscout has and Etherscan does not: lists of accounts and of pending transactions.
 * @source Blockscout RPC API, account
 */
import { isAddress, isQuantity } from '#chain/codec/hex.ts';
import { UnsupportedMethodError } from '#chain/errors.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { stateProblem } from '../read/accounts/account-reader.ts';
import { type TopAccountsDeps, topAccounts } from '../read/accounts/top-accounts.ts';
import type { NodeDeps, SnapshotDeps } from '../read/reader-deps.ts';
import { type CompatibleAction, CompatibleError, noTransactions } from './action.ts';
import { pageWindow, parseAddress } from './parameters.ts';

const defaultRows = 10;

/** `stale` is true if the balances are older than the newest block. */
export const listAccounts: CompatibleAction<SnapshotDeps & TopAccountsDeps> = ({ deps, parameters }) => {
  const { skip, limit } = pageWindow(parameters, { fallback: defaultRows });
  return deps.snapshots.run(async (state) => {
    const { rows, through } = await topAccounts(deps, state);
    const stale = through < state.head;
    return rows.slice(skip, skip + limit).map(({ account, wei }) => ({ address: account, balance: wei, stale }));
  });
};

interface PoolTransaction {
  hash?: unknown;
  from?: unknown;
  [field: string]: unknown;
}
type Pool = Record<string, Record<string, PoolTransaction>>;

export const pendingList: CompatibleAction<Pick<NodeDeps, 'client'>> = async ({ deps, parameters }) => {
  const [address, { skip, limit }] = [parseAddress(parameters), pageWindow(parameters)];
  const own = await deps.client
    .call<Pool>('txpool_contentFrom', [address], { retries: 1 })
    .catch(async (error: unknown) => {
      if (!(error instanceof UnsupportedMethodError)) throw stateProblem(error, `pending transactions of ${address}`);
      return wholePool(deps.client, address);
    });
  const rows = Object.values(own ?? {})
    .flatMap((byNonce) => Object.values(byNonce ?? {}))
    .filter((transaction) => isAddress(transaction.from) && transaction.from.toLowerCase() === address)
    .map(toRow)
    .sort((a, b) => Number(b.nonce) - Number(a.nonce));
  const page = rows.slice(skip, skip + limit);
  if (page.length === 0) throw noTransactions();
  return page;
};

/** Reads the complete transaction pool and filters it, for nodes without txpool_contentFrom. */
async function wholePool(client: RpcClient, address: string): Promise<Pool> {
  try {
    const pool = await client.call<Record<string, Pool>>('txpool_content', [], { retries: 1 });
    const sides = Object.values(pool ?? {}).map((byAccount) =>
      Object.entries(byAccount ?? {}).find(([account]) => account.toLowerCase() === address),
    );
    return Object.fromEntries(sides.flatMap((side, i) => (side ? [[String(i), side[1]]] : [])));
  } catch (error) {
    if (error instanceof UnsupportedMethodError)
      throw new CompatibleError(
        'Error! Pending transactions are not available: the node does not serve its transaction pool',
      );
    throw stateProblem(error, `pending transactions of ${address}`);
  }
}

function toRow(transaction: PoolTransaction) {
  const decimal = (field: string) => {
    const value = transaction[field];
    return isQuantity(value) ? BigInt(value).toString() : '';
  };
  const text = (field: string) => String(transaction[field] ?? '').toLowerCase();
  return {
    hash: text('hash'),
    nonce: decimal('nonce'),
    from: text('from'),
    to: text('to'),
    value: decimal('value'),
    gas: decimal('gas'),
    gasPrice: decimal('gasPrice') || decimal('maxFeePerGas'),
    input: text('input'),
    contractAddress: '',
    cumulativeGasUsed: '',
    gasUsed: '',
  };
}
