import type { RangeSummary } from '../encode/range-rows.ts';
import type { Journal } from '../store/journal.ts';
import type { QuarantinedBlocks } from '../store/quarantined-blocks.ts';
import type { RangeClaims } from '../workers/range-claims.ts';
import type { FetchAhead } from './fetch-ahead.ts';
import type { PlannedStretch } from './plan-ranges.ts';
import { type StretchDeps, storeStretch } from './store-stretch.ts';

export interface ClaimedParts {
  readonly deps: StretchDeps;
  readonly journal: Journal;
  readonly quarantined: QuarantinedBlocks;
  readonly source: FetchAhead;
  readonly claims: RangeClaims;
  readonly planNow: () => Promise<readonly PlannedStretch[]>;
  readonly onRange?: (range: RangeSummary) => Promise<void>;
}

/** Stores a reserved range of old blocks, extended up to the next range of another process. */
export async function storeClaimed(unit: PlannedStretch, parts: ClaimedParts): Promise<void> {
  const { deps, journal, quarantined, source, claims, planNow, onRange } = parts;
  const extend = async () => {
    await journal.refresh();
    return claims.extend(await planNow());
  };
  await storeStretch(unit, {
    deps,
    journal,
    source,
    inOneRange: unit.interrupted,
    ...(unit.interrupted ? {} : { extend }),
    ...(onRange ? { onRange } : {}),
    onQuarantined: ({ quarantined: block, reason, attempts }) => quarantined.park(block, reason, attempts),
  });
}
