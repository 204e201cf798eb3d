/** Reads the code of created contracts, so that the API can list contracts with the same code. */
import { hashWithoutMetadata } from '#chain/codec/code-hash.ts';
import { isHexData } from '#chain/codec/hex.ts';
import { codesJob } from '#sql/job-marks.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { forBatches, type NewestBlock, processBlocks } from './process-blocks.ts';
import { readAtBlock } from './read-at-block.ts';

/** Small, because other jobs wait, and a block may create hundreds of contracts. */
const blocksAtOnce = 1_000;
const contractsAtOnce = 1_000_000;
/** Code has up to 24 kB (EIP-170), so a reply stays below 2.5 MB. */
const batchSize = 50;

export const refreshCodes = (deps: StoreDeps & NodeDeps, store: ChainStateStore): Promise<boolean> =>
  processBlocks(deps, store, {
    name: codesJob,
    blocksAtOnce,
    process: (from, to, newest) => storeCodesInRange(deps, from, to, newest),
  });

/** Reads the code of contracts that a range of blocks created, at the newest readable block. */
export async function storeCodesInRange(
  deps: StoreDeps & NodeDeps,
  from: number,
  to: number,
  newest: NewestBlock,
): Promise<void> {
  const range = { from_block: from, to_block: to, limit: contractsAtOnce };
  const created = await deps.database.read('created_contracts', range);
  if (created.length === contractsAtOnce)
    throw new Error(`blocks ${from} to ${to} created ${contractsAtOnce} contracts or more`);
  await storeCodes(
    deps,
    created.map(({ address }) => address),
    newest,
  );
}

/**
 * Reads and stores the code of contracts. Addresses without code, such as destroyed contracts, get no row.
 * @throws TransportError, NodeError; some code may be stored by then
 */
export async function storeCodes(
  deps: StoreDeps & NodeDeps,
  addresses: readonly string[],
  newest: NewestBlock,
): Promise<void> {
  await forBatches(addresses, batchSize, async (batch) => {
    const block = newest();
    const rows = new RowWriter(1 << 12);
    const results = await readAtBlock(deps, 'eth_getCode', batch, block);
    for (const [i, address] of batch.entries()) encodeCode(rows, address, results[i], block);
    if (rows.rows > 0) await deps.database.insertRowBinary('contract_codes', rows.view());
  });
}

function encodeCode(rows: RowWriter, address: string, code: unknown, block: number): void {
  if (!isHexData(code))
    throw new Error(`eth_getCode for ${address} returned ${String(code).slice(0, 40)}, expected hex`);
  if (code === '0x') return;
  rows.fixed(hashWithoutMetadata(code), 32);
  rows.fixed(address, 20);
  rows.uint64(block);
  rows.endRow();
}
