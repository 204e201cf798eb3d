/** Tells of which block a supply is, and whether it is old. */
import { isoTime } from '#chain/codec/iso-time.ts';
import { indexInfo } from '../chain/freshness.ts';
import type { Reconciliation } from './reconcile.ts';
import type { SupplyReaderDeps } from './supply-reader.ts';

/** Age from which replies mark the supply as stale, ms. */
const staleMs = 30_000;

/** Returns whether the supply is old, or the index lacks newer blocks. */
export const isStale = (index: ReturnType<typeof indexInfo>, { computedAtMs }: Reconciliation): boolean =>
  Date.now() - computedAtMs > staleMs || !index.complete;

/** Describes the newest state: the supply may be of an earlier one. */
export const readIndexInfo = (deps: SupplyReaderDeps) => deps.snapshots.run(async (state) => indexInfo(deps, state));

/** Returns the headers of replies that have no fields for this. */
export const supplyHeaders = async (
  deps: SupplyReaderDeps,
  supply: Reconciliation,
): Promise<Record<string, string>> => ({
  'X-As-Of-Block': String(supply.block),
  'X-As-Of-Block-Hash': supply.blockHash,
  'X-As-Of': isoTime(supply.time),
  'X-Stale': String(isStale(await readIndexInfo(deps), supply)),
});
