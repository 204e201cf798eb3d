/**
 * Actions of Blockscout that Etherscan lacks: lists of accounts and of pending transactions.
 * @source Blockscout RPC API, account
 */
import { type TopAccountsDeps, topAccounts } from '../read/accounts/top-accounts.ts';
import { type PoolTransaction, readPool } from '../read/chain/pending-transaction.ts';
import type { CoverageDeps, NodeDeps, SnapshotDeps } from '../read/reader-deps.ts';
import { type CompatibleAction, noTransactions } from './action.ts';
import { assertFirstBlocks, assertNewest } from './covered.ts';
import { pageWindow, parseAddress, sideFilter } from './parameters.ts';

const defaultRows = 10;

/** `stale` means that the balances are older than the newest block. */
export const listAccounts: CompatibleAction<SnapshotDeps & CoverageDeps & TopAccountsDeps> = ({ deps, parameters }) => {
  const { skip, limit } = pageWindow(parameters, { fallback: defaultRows, worksAlone: true });
  return deps.snapshots.run(async (state) => {
    assertFirstBlocks(state, 'Accounts are known');
    assertNewest(deps, state, state.startBlock);
    const { rows, through } = await topAccounts(deps, state);
    const stale = through < state.head;
    return rows.slice(skip, skip + limit).map(({ account, wei }) => ({ address: account, balance: wei, stale }));
  });
};

/** Extra cost of a request, because a node sends its entire pool. */
const poolCost = 4;

/** Pending transactions that the account sends or receives. */
export const pendingList: CompatibleAction<Pick<NodeDeps, 'client'>> = async ({ deps, parameters, charge }) => {
  const [address, { skip, limit }] = [parseAddress(parameters), pageWindow(parameters)];
  const { from, to, isEither } = sideFilter(parameters);
  await charge(poolCost, 0);
  const rows = (await readPool(deps))
    .filter((row) => row.sender === address || row.to === address)
    .filter((row) => {
      const [sends, receives] = [from === undefined || row.sender === from, to === undefined || row.to === to];
      return isEither && from !== undefined && to !== undefined ? sends || receives : sends && receives;
    })
    .sort((a, b) => b.nonce - a.nonce);
  const page = rows.slice(skip, skip + limit).map(toRow);
  if (page.length === 0) throw noTransactions();
  return page;
};

const toRow = (row: PoolTransaction) => ({
  hash: row.hash,
  nonce: String(row.nonce),
  from: row.sender,
  to: row.to ?? '',
  value: row.value,
  gas: row.gasLimit,
  gasPrice: row.maxFeePerGas,
  input: row.input,
  contractAddress: '',
  cumulativeGasUsed: '',
  gasUsed: '',
});
