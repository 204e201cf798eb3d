import { hexDigits } from '#chain/codec/hex.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { addressOf, type CompatibleAction, CompatibleError, listWindow } from './compatible-action.ts';

interface TxlistRecord {
  block_number: string;
  tx_index: number;
  tx_hash: string;
  timestamp: number;
  block_hash: string;
  from: string;
  to: string;
  contract_address: string;
  value: string;
  nonce: string;
  gas_limit: string;
  gas_used: string;
  gas_price: string;
  status: 0 | 1 | null;
  method_id: string;
  cumulative_gas_used: string;
  input: string;
}

/** module=account&action=txlist: all values are strings. @source specification 4.10 */
export const accountTxlist: CompatibleAction = async (deps, parameters) => {
  const address = addressOf(parameters);
  const { fromBlock, toBlock, skip, limit, order } = listWindow(parameters);
  return deps.snapshots.run(async (state) => {
    const rows = await deps.database.read<TxlistRecord>(getStatement(deps.statements, `txlist_${order}`), {
      ...snapshotParameters(state),
      ...{ address: hexDigits(address), from_block: fromBlock, to_block: toBlock, skip, limit },
    });
    if (rows.length === 0) throw new CompatibleError('No transactions found', 'message', []);
    return rows.map((row) => txlistRow(state.head, row));
  });
};

function txlistRow(head: number, row: TxlistRecord) {
  return {
    blockNumber: row.block_number,
    timeStamp: String(row.timestamp),
    hash: row.tx_hash,
    nonce: row.nonce,
    blockHash: row.block_hash,
    transactionIndex: String(row.tx_index),
    from: row.from,
    to: row.to,
    value: row.value,
    gas: row.gas_limit,
    gasPrice: row.gas_price,
    isError: row.status === 0 ? '1' : '0',
    txreceipt_status: row.status === null ? '' : String(row.status),
    input: row.input,
    contractAddress: row.contract_address,
    cumulativeGasUsed: row.cumulative_gas_used,
    gasUsed: row.gas_used,
    confirmations: String(head - Number(row.block_number)),
    methodId: row.method_id,
    functionName: '',
  };
}
