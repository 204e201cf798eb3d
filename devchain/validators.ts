/** Who produces the dev chain's blocks: in turn, but one misses a turn now and then. */
import { known } from '#runtime/known.ts';

/** In the order of their turns: block n is the turn of number n modulo four. */
export const devValidators: readonly string[] = [1, 2, 3, 4].map((n) => `0x${'0'.repeat(34)}5ea10${n}`);

const missedEvery = 37;

export function producerOf(block: number): string {
  const turn = block % missedEvery === 0 ? block + 1 : block;
  return known(devValidators[turn % devValidators.length], 'a validator');
}
