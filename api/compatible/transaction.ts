/** module=transaction. @source conventions 2.6 */
import { type ChainState, isDoubted } from '#sql/snapshot.ts';
import { gapText } from '../freshness.ts';
import { findByHash } from '../reach-block.ts';
import { confirmationsOf } from '../routes/finality.ts';
import { topicsOf } from '../routes/log-record.ts';
import type { DetailRecord } from '../routes/transactions/transaction.ts';
import { type CompatibleAction, CompatibleError } from './action.ts';
import { notIndexed } from './covered.ts';
import { hashOf } from './parameters.ts';

/** Whether the execution failed. A hash that is not known did not fail either, as clients of this interface expect. */
export const transactionStatus: CompatibleAction = async ({ deps, parameters }) => {
  const hash = hashOf(parameters);
  const { state, found } = await findByHash(deps, hash, (state) => deps.transactions.find(state, hash));
  assertUndoubted(state, found);
  const isError = found?.status === 0;
  return { isError: isError ? '1' : '0', errDescription: isError ? 'Reverted' : '' };
};

/** status "1", "0", or empty where the transaction is not on the chain. */
export const receiptStatus: CompatibleAction = async ({ deps, parameters }) => {
  const hash = hashOf(parameters);
  const { state, found } = await findByHash(deps, hash, (state) => deps.transactions.find(state, hash));
  assertUndoubted(state, found);
  return { status: found?.status == null ? '' : String(found.status) };
};

/** @throws CompatibleError for a transaction of a block that a node contradicts */
function assertUndoubted(state: ChainState, row: DetailRecord | undefined): void {
  const block = Number(row?.block_number ?? -1);
  if (isDoubted(state, block)) throw notIndexed(gapText(state, { from: block, to: block }));
}

/** As Blockscout gives it. */
export const transactionInfo: CompatibleAction = async ({ deps, parameters }) => {
  const hash = hashOf(parameters);
  const { state, found } = await findByHash(deps, hash, (state) => deps.transactions.findWithLogs(state, hash));
  if (!found) throw new CompatibleError('Transaction not found', 'message');
  assertUndoubted(state, found.row);
  const { row, logs } = found;
  return {
    hash: row.hash,
    timeStamp: String(row.timestamp),
    blockNumber: row.block_number,
    confirmations: String(confirmationsOf(state, Number(row.block_number))),
    success: row.status !== 0,
    from: row.from,
    to: row.to ?? '',
    value: row.value,
    input: row.input,
    gasLimit: row.gas_limit,
    gasUsed: row.gas_used,
    gasPrice: row.gas_price,
    logs: logs.map((log) => ({
      address: log.address,
      data: log.data,
      topics: topicsOf(log),
      index: String(log.log_index),
    })),
    revertReason: '',
    next_page_params: null,
  };
};
