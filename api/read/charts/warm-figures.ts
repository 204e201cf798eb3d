/** Keeps the figures that every page shows moving with the head, so that no request meets a long stretch of blocks. */

import { pause } from '#runtime/shutdown.ts';
import type { ApiDeps } from '../../deps.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { readFigures } from '../chain/figures.ts';
import { always } from './series-reader.ts';

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
