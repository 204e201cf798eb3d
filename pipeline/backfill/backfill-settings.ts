import type { VerifyLevel } from '#chain/verify/verify-bundle.ts';

export interface FetchSettings {
  readonly verify: VerifyLevel;
  /** Internal calls: off (default), auto (if a node can trace), or on (also during the backfill, with retries). */
  readonly traces?: 'off' | 'auto' | 'on';
  readonly batchBlocks: number;
}

export interface BackfillSettings {
  /** Target rows per insert, counted in its largest table. */
  readonly insertTargetRows: number;
  /** Pause before a retry, ms. Default: 30 s for quarantined blocks, 10 min for untraced blocks. */
  readonly quarantinedRetryMs?: number;
  /** Pause between comparisons of stored blocks with a node, ms; default 5 min. */
  readonly auditEveryMs?: number;
}
