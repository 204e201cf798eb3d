import { pause } from '#runtime/shutdown.ts';
import type { Engine } from './engine.ts';

const killAgainMs = 200;

/**
 * Kills the statements whose text contains `mark` until they end. An early attempt fails if a statement is not in the
 * list of running queries yet.
 */
export async function killUntilEnded(engine: Engine, mark: string, isRunning: () => boolean): Promise<void> {
  for (; isRunning(); await pause(killAgainMs)) await engine.kill(mark).catch(() => undefined);
}
