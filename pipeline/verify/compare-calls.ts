import type { InternalCall } from '#chain/rpc/internal-call.ts';
import type { BlockBundle } from '#chain/rpc/wire-types.ts';
import { known } from '#runtime/known.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { NodeDeps, StoreDeps } from '../deps.ts';
import { traceBlocks } from '../traces/attach-traces.ts';
import { readTracedIn } from '../traces/traced-ranges.ts';
import { compareRows, type Difference, type KeyedRow } from './compare-rows.ts';

type VerifyDeps = StoreDeps & NodeDeps;

/** Compares internal calls with a node. Skips untraced blocks, which the API reports as not covered. */
export async function compareCalls(
  deps: VerifyDeps,
  state: ChainState,
  bundles: readonly BlockBundle[],
): Promise<{ calls: number; differences: Difference[] }> {
  const ranges = await readTracedIn(deps, state);
  const isTraced = (block: number) => ranges.some(({ fromBlock, toBlock }) => fromBlock <= block && block <= toBlock);
  const traced = bundles.filter(({ block }) => isTraced(Number(block.number)));
  const [first, last] = [traced[0], traced.at(-1)];
  if (!first || !last) return { calls: 0, differences: [] };
  const expected = (await traceBlocks(deps, traced)).map(getExpected);
  const window = { from_block: Number(first.block.number), to_block: Number(last.block.number) };
  const parameters = { ...snapshotParameters(state), ...window };
  const [calls, traces] = await Promise.all([
    deps.database.read('stored_internal', parameters),
    deps.database.read('stored_traces', parameters),
  ]);
  const storedCalls = calls.filter(({ block }) => isTraced(Number(block)));
  const storedTraces = traces.filter(({ key }) => isTraced(Number(key)));
  return {
    calls: expected.reduce((sum, block) => sum + block.calls.length, 0),
    differences: [
      ...compareRows(
        'internal_calls',
        expected.flatMap((block) => block.calls),
        storedCalls,
      ),
      ...compareRows(
        'block_traces',
        expected.map((block) => block.trace),
        storedTraces,
      ),
    ],
  };
}

function getExpected({ block, calls }: BlockBundle): { calls: KeyedRow[]; trace: KeyedRow } {
  const number = String(Number(block.number));
  const rows = block.transactions.flatMap((transaction, i) =>
    known(calls?.[i], 'the trace of a transaction').map((call, at) => ({
      key: `${number}:${i}:${at}`,
      tx_hash: transaction.hash.toLowerCase(),
      block_hash: block.hash.toLowerCase(),
      ...getFields(call),
    })),
  );
  const counts = { transaction_count: String(block.transactions.length), call_count: String(rows.length) };
  return { calls: rows, trace: { key: number, block_hash: block.hash.toLowerCase(), ...counts } };
}

function getFields({ type, from, to, value, error }: InternalCall) {
  // some nodes don't distinguish create2 from create
  const kind = type === 'create2' ? 'create' : type;
  return { type: kind, from, to: to ?? '', value: value.toString(), failed: error === '' ? '0' : '1' };
}
