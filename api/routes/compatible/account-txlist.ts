import { hexDigits } from '#chain/codec/hex.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import type { Position } from '../../cursor.ts';
import type { ApiDeps } from '../../deps.ts';
import type { HistoryRecord } from '../history-row.ts';
import { placeOf, readDistinct, startOf } from '../paging.ts';
import { type HistoryShape, readHistory, roleMasks } from '../read-history.ts';
import { addressOf, type CompatibleAction, CompatibleError, listWindow } from './compatible-action.ts';

/** What a history row does not hold. */
interface CallRecord {
  block_number: string;
  tx_index: number;
  cumulative_gas_used: string;
  input: string;
}

const senderOrRecipient = roleMasks.from | roleMasks.to;

/** module=account&action=txlist: all values are strings. @source specification 4.10 */
export const accountTxlist: CompatibleAction = async (deps, parameters) => {
  const address = addressOf(parameters);
  const { skip, limit, ...window } = listWindow(parameters);
  const shape = { address, ...window, mask: senderOrRecipient };
  return deps.snapshots.run(async (state) => {
    const read = (after: Position, count: number) => readHistory(deps, state, shape, after, count);
    const start = startOf(undefined, { order: shape.order, limit });
    const rows = (await readDistinct(read, start.after, skip + limit, placeOf)).slice(skip);
    if (rows.length === 0) throw new CompatibleError('No transactions found', 'message', []);
    const calls = await readCalls(deps, state, shape, rows);
    return rows.map((row) => txlistRow(state.head, row, calls.get(keyOf(row))!));
  });
};

const keyOf = (row: { block_number: string; tx_index: number }) => `${row.block_number}:${row.tx_index}`;

/** Call data and cumulative gas of a page of history, by place. */
async function readCalls(
  deps: ApiDeps,
  state: ChainState,
  { address, order, mask }: HistoryShape,
  rows: readonly HistoryRecord[],
): Promise<Map<string, CallRecord>> {
  const [first, last] = [placeOf(rows[0]!), placeOf(rows.at(-1)!)];
  const [low, high] = order === 'asc' ? [first, last] : [last, first];
  const calls = await deps.database.read<CallRecord>(getStatement(deps.statements, 'calls_of_history'), {
    ...snapshotParameters(state),
    ...{ address: hexDigits(address), role_mask: mask },
    ...{ from_block: low.block, from_index: low.index, to_block: high.block, to_index: high.index },
  });
  return new Map(calls.map((call) => [keyOf(call), call]));
}

function txlistRow(head: number, row: HistoryRecord, call: CallRecord) {
  return {
    blockNumber: row.block_number,
    timeStamp: String(row.timestamp),
    hash: row.tx_hash,
    nonce: row.nonce,
    blockHash: row.block_hash,
    transactionIndex: String(row.tx_index),
    from: row.from,
    to: row.to ?? '',
    value: row.value,
    gas: row.gas_limit,
    gasPrice: row.gas_price,
    isError: row.status === 0 ? '1' : '0',
    txreceipt_status: row.status === null ? '' : String(row.status),
    input: call.input,
    contractAddress: row.contract_address ?? '',
    cumulativeGasUsed: call.cumulative_gas_used,
    gasUsed: row.gas_used,
    confirmations: String(head - Number(row.block_number)),
    methodId: row.method_id,
    functionName: '',
  };
}
