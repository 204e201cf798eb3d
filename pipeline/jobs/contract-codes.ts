/** Reads the codes of created contracts, so that the API can list contracts with the same code. */
import PQueue from 'p-queue';
import { hashWithoutMetadata } from '#chain/codec/code-hash.ts';
import { toQuantity } from '#chain/codec/hex.ts';
import { splitIntoChunks } from '#runtime/lists.ts';
import { RowWriter } from '#sql/row-writer.ts';
import type { PipelineDeps } from '../deps.ts';
import type { ChainStateStore } from '../store/chain-state-store.ts';
import { codesJob } from './job-marks.ts';
import { processBlocks } from './process-blocks.ts';

const contractsAtOnce = 2_000_000;
/** Codes have up to 24 kB (EIP-170), so a reply stays below 2.5 MB. */
const batchSize = 50;

export const refreshCodes = (deps: PipelineDeps, { state }: ChainStateStore): Promise<boolean> =>
  processBlocks(deps, state, codesJob, async (from, to, finalized) => {
    const range = { from_block: from, to_block: to, limit: contractsAtOnce };
    const created = await deps.database.read('created_contracts', range);
    await storeCodes(
      deps,
      created.map(({ address }) => address),
      finalized,
    );
  });

/**
 * Reads and stores the codes of contracts. Addresses without code, such as destroyed contracts, get no row.
 * @param block finalized
 * @throws TransportError, NodeError; then nothing is stored
 */
export async function storeCodes(deps: PipelineDeps, addresses: readonly string[], block: number): Promise<void> {
  const rows = new RowWriter(1 << 14);
  const queue = new PQueue({ concurrency: 4 });
  await queue.addAll(
    splitIntoChunks(addresses, batchSize).map((batch) => async () => {
      const calls = batch.map((address) => ({ method: 'eth_getCode', params: [address, toQuantity(block)] }));
      const { results } = await deps.client.batch(calls, { minHead: block, signal: deps.signal });
      for (const [i, address] of batch.entries()) encodeCode(rows, address, results[i], block);
    }),
  );
  if (rows.rows > 0) await deps.database.insertRowBinary('contract_codes', rows.view());
}

function encodeCode(rows: RowWriter, address: string, code: unknown, block: number): void {
  if (typeof code !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(code))
    throw new Error(`eth_getCode for ${address} returned ${String(code).slice(0, 40)}, expected hex`);
  if (code === '0x') return;
  rows.fixed(hashWithoutMetadata(code), 32);
  rows.fixed(address, 20);
  rows.uint32((code.length - 2) / 2);
  rows.uint64(block);
  rows.endRow();
}
