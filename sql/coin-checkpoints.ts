/** Checkpoints: blocks after which the native balances of all accounts are stored. */
import type { Database } from './client.ts';
import { balancesJob } from './job-marks.ts';
import { type ChainState, finalizedPart, snapshotParameters } from './snapshot.ts';

/** Prefix of the names of all marks about checkpoints. */
export const checkpointPrefix = `${balancesJob} checkpoint`;
/** Job whose mark is the block up to which all checkpoints are stored. */
export const checkpointsJob = `${checkpointPrefix}s`;

const prefix = `${checkpointPrefix} `;

/** Returns the name of the mark of a complete checkpoint. */
export const checkpointMark = (block: number): string => `${prefix}${block}`;

/** Returns all complete checkpoints, unordered. */
export async function readCheckpoints(database: Database): Promise<number[]> {
  const rows = await database.read('job_marks_of', { prefix });
  return rows.map(({ job }) => Number(job.slice(prefix.length)));
}

/** Returns the first checkpoint at `block` or a later block. */
export function nextCheckpoint(checkpoints: readonly number[], block: number): number | undefined {
  const later = checkpoints.filter((each) => each >= block);
  return later.length === 0 ? undefined : Math.min(...later);
}

/**
 * Returns the parameters of statements that compute balances after a finalized block from known balances.
 * @param checkpoint source of known balances, at `block` or later; undefined: the newest balances from a node
 */
export function coinParameters(state: ChainState, block: number, checkpoint: number | undefined) {
  return {
    ...snapshotParameters(finalizedPart(state)),
    block,
    known: checkpoint === undefined ? 'account_balances' : 'coin_checkpoints',
    known_from: checkpoint ?? 0,
    through: checkpoint ?? Number.MAX_SAFE_INTEGER,
    // the newest balances may lack transfers of earlier blocks
    internal_after: checkpoint === undefined ? 0 : block,
  };
}

/**
 * Returns the parameters of statements about accounts that the newest of `checkpoints` lacks.
 * @param origin later checkpoint to take balances from; undefined: the newest balances from a node
 */
export function lateParameters(state: ChainState, checkpoints: readonly number[], origin?: number) {
  const newest = Math.max(...checkpoints);
  // these accounts have no earlier transfers
  return { ...coinParameters(state, newest, origin), internal_after: newest };
}
