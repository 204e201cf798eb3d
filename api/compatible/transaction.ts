/** module=transaction. @source conventions 2.6 */
import { topicsOf } from '../routes/log-record.ts';
import { type CompatibleAction, CompatibleError } from './action.ts';
import { hashOf } from './parameters.ts';

/** Whether the execution failed. A hash that is not known did not fail either, as clients of this interface expect. */
export const transactionStatus: CompatibleAction = ({ deps, parameters }) =>
  deps.snapshots.run(async (state) => {
    const row = await deps.transactions.find(state, hashOf(parameters));
    const isError = row?.status === 0;
    return { isError: isError ? '1' : '0', errDescription: isError ? 'Reverted' : '' };
  });

/** status "1", "0", or empty where the transaction is not on the chain. */
export const receiptStatus: CompatibleAction = ({ deps, parameters }) =>
  deps.snapshots.run(async (state) => {
    const row = await deps.transactions.find(state, hashOf(parameters));
    return { status: row?.status == null ? '' : String(row.status) };
  });

/** As Blockscout gives it. */
export const transactionInfo: CompatibleAction = ({ deps, parameters }) =>
  deps.snapshots.run(async (state) => {
    const found = await deps.transactions.findWithLogs(state, hashOf(parameters));
    if (!found) throw new CompatibleError('Transaction not found', 'message');
    const { row, logs } = found;
    return {
      hash: row.hash,
      timeStamp: String(row.timestamp),
      blockNumber: row.block_number,
      confirmations: String(state.head - Number(row.block_number)),
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
  });
