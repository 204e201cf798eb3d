import type { Database } from '#sql/client.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import { type ExportKind, exportKinds, wholeChain } from '../export/kinds.ts';
import type { TableSum } from './checkpoint.ts';

export type TableSums = Record<ExportKind, TableSum>;

const stepBlocks = 500_000;

export const noRows = (): TableSums =>
  Object.fromEntries(exportKinds.map((kind) => [kind, { rows: 0, digest: '0'.repeat(16) }])) as TableSums;

/**
 * Counts and digests the rows of all exported tables. Results of ranges can be added.
 * @param fromBlock, toBlock inclusive and finalized
 */
export async function sumTables(
  database: Database,
  state: ChainState,
  fromBlock: number,
  toBlock: number,
): Promise<TableSums> {
  let sums = noRows();
  for (let low = fromBlock; low <= toBlock; low += stepBlocks) {
    const window = { from_block: low, to_block: Math.min(toBlock, low + stepBlocks - 1) };
    const parameters = { ...snapshotParameters(state), ...window, at_block: 0, at_index: -1, at_batch: -1 };
    for (const kind of exportKinds) {
      const row = await database.readOne(wholeChain[kind].certificate, parameters);
      sums = { ...sums, [kind]: addSums(sums[kind], { rows: Number(row.row_count), digest: row.digest }) };
    }
  }
  return sums;
}

export function sameTables(one: TableSums, other: TableSums): boolean {
  return exportKinds.every((kind) => one[kind].rows === other[kind].rows && one[kind].digest === other[kind].digest);
}

export function addTables(one: TableSums, other: TableSums): TableSums {
  return Object.fromEntries(exportKinds.map((kind) => [kind, addSums(one[kind], other[kind])])) as TableSums;
}

export function addSums(one: TableSum, other: TableSum): TableSum {
  const sum = BigInt.asUintN(64, BigInt(`0x${one.digest}`) + BigInt(`0x${other.digest}`));
  return { rows: one.rows + other.rows, digest: sum.toString(16).padStart(16, '0') };
}
