/** Keeps the figures that every page shows moving with the head, so that no request meets a long stretch of blocks. */
import { pause } from '#runtime/shutdown.ts';
import { always } from './charts/series-reader.ts';
import type { ApiDeps } from './deps.ts';
import { ApiProblem } from './errors.ts';
import { readFigures } from './routes/stats/get-stats.ts';

const everyMs = 1_000;

/** Runs until the signal fires; a fault is that of the next request too, and is answered there. */
export async function warmFigures(deps: ApiDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await deps.snapshots
      .run((state) => Promise.all([readFigures(deps, state), deps.series.read('day', state, always)]))
      .catch((error: unknown) => {
        if (!(error instanceof ApiProblem)) deps.log.debug({ event: 'figures_not_warm', error: String(error) });
      });
    await pause(everyMs, signal);
  }
}
