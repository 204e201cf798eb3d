import { isoTime } from '#chain/codec/iso-time.ts';
import { indexInfo } from '../chain/freshness.ts';
import type { Reconciliation } from './reconcile.ts';
import type { SupplyReaderDeps } from './supply-reader.ts';

/** The supply is stale from this age on. */
const staleMs = 30_000;

/** Returns whether the supply is old or the index lacks newer blocks. */
export const isStale = (index: ReturnType<typeof indexInfo>, { computedAtMs }: Reconciliation): boolean =>
  Date.now() - computedAtMs > staleMs || !index.complete;

/** Describes the newest state. The supply may be of an earlier one. */
export const readIndexInfo = (deps: SupplyReaderDeps) => deps.snapshots.run(async (state) => indexInfo(deps, state));

/** Headers for replies without fields for the block of the supply. */
export const supplyHeaders = async (
  deps: SupplyReaderDeps,
  supply: Reconciliation,
): Promise<Record<string, string>> => ({
  'X-As-Of-Block': String(supply.block),
  'X-As-Of-Block-Hash': supply.blockHash,
  'X-As-Of': isoTime(supply.time),
  'X-Stale': String(isStale(await readIndexInfo(deps), supply)),
});
