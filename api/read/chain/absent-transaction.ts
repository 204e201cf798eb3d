import { hexDigits } from '#chain/codec/hex.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { CoverageDeps, StoreDeps } from '../reader-deps.ts';
import { absent } from './freshness.ts';

/**
 * Returns the error for a transaction that no indexed block contains: indexing if the index is incomplete, else not_found. If
 * a reorg removed a block that contained it, `details.orphaned` of not_found is that block.
 */
export async function absentTransaction(
  deps: CoverageDeps & StoreDeps,
  state: ChainState,
  hash: string,
): Promise<ApiProblem> {
  const problem = absent(deps, state, `transaction ${hash}`);
  if (problem.code !== 'not_found') return problem;
  const [row] = await deps.database.read('orphaned_transaction', { hash: hexDigits(hash) });
  if (!row) return problem;
  const orphaned = { blockNumber: Number(row.block_number), blockHash: row.removed_block };
  return new ApiProblem(
    problem.code,
    `${problem.detail}; it was in block ${orphaned.blockNumber} (${orphaned.blockHash}), which a reorg removed`,
    { ...(problem.details as object | undefined), orphaned },
  );
}
