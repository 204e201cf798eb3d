/** Adds new blocks to totals and charts in the background, so that requests are fast. */

import { pause } from '#runtime/shutdown.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { type FigureDeps, readFigures } from '../chain/figures.ts';
import type { StateDeps } from '../reader-deps.ts';
import { always, type SeriesReader } from './series-reader.ts';

interface WarmDeps extends FigureDeps, Pick<StateDeps, 'snapshots' | 'log'> {
  readonly series: SeriesReader;
}

const everyMs = 1_000;

/** Logs errors only at debug level, because the next request reports them. */
export async function warmFigures(deps: WarmDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await deps.snapshots
      .run((state) => Promise.all([readFigures(deps, state), deps.series.read('day', state, always)]))
      .catch((error: unknown) => {
        if (!(error instanceof ApiProblem)) deps.log.debug({ event: 'figures_not_warm', error: String(error) });
      });
    await pause(everyMs, signal);
  }
}
