/** Values of closed eras: they change when another era is closed, or the chain loses blocks, alone. */
import type { ChainState } from '#sql/snapshot.ts';
import { Memo } from './memo.ts';

export class PerEra<T> {
  readonly #values: Memo<T>;

  constructor(max: number) {
    this.#values = new Memo(max);
  }

  /** The value of `key` up to the last closed era of this state; a failure is not kept. */
  of(
    key: string,
    { eraThrough, epoch }: Pick<ChainState, 'eraThrough' | 'epoch'>,
    compute: () => Promise<T>,
  ): Promise<T> {
    return this.#values.of(`${key}@${eraThrough}@${epoch}`, compute);
  }
}
