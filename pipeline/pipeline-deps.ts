import type { BackfillSettings, FetchSettings } from './backfill/backfill-settings.ts';
import type { FetchDeps } from './backfill/fetch-ahead.ts';
import type { JobDeps, MetricsDeps } from './deps.ts';
import type { FollowSettings } from './follow/follow-settings.ts';
import type { ChainSettings } from './identity.ts';
import type { EmbedDeps } from './jobs/embed-shapes.ts';
import type { JobSettings } from './jobs/job-settings.ts';
import type { RawCacheSettings } from './raw-cache.ts';
import type { SourceSettings } from './sources/source-settings.ts';
import type { WorkerSettings } from './workers/worker.ts';

/** Objects that the pipeline creates at startup. Other files list those that they need (`deps.ts`). */
export interface PipelineDeps extends JobDeps, FetchDeps, EmbedDeps, MetricsDeps {
  readonly settings: PipelineSettings;
}

export interface PipelineSettings
  extends ChainSettings,
    FollowSettings,
    FetchSettings,
    BackfillSettings,
    RawCacheSettings,
    WorkerSettings,
    JobSettings {
  readonly sources?: SourceSettings;
}
