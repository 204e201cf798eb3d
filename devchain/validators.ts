/** Validators produce blocks in turn. Every 37 blocks, one misses its turn. */
import { known } from '#runtime/known.ts';

/** Block n is the turn of validator n modulo 4. */
export const devValidators: readonly string[] = [1, 2, 3, 4].map((n) => `0x${'0'.repeat(34)}5ea10${n}`);

const missedEvery = 37;

export function getBlockProducer(block: number): string {
  const turn = block % missedEvery === 0 ? block + 1 : block;
  return known(devValidators[turn % devValidators.length], 'a validator');
}
