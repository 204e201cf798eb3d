import { pause } from '#runtime/shutdown.ts';
import type { Engine } from './engine.ts';

const killAgainMs = 200;

/**
 * Kills the statements whose text contains `mark` until they have ended: the first attempt may be too early, because a
 * statement may not be in the list of running queries yet.
 */
export async function killUntilEnded(engine: Engine, mark: string, isRunning: () => boolean): Promise<void> {
  for (; isRunning(); await pause(killAgainMs)) await engine.kill(mark).catch(() => undefined);
}
