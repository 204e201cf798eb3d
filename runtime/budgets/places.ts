/** Places for what lasts: streams, exports, clients. Nobody holds all of them, and a place is given back once. */
import { known } from '../known.ts';

/** Why there is no place: the holder has as many as one may have, or all are taken. */
type NoPlace = 'own' | 'all';

export class Places {
  readonly #held = new Map<string, number>();
  #taken = 0;
  readonly most: number;
  readonly perHolder: number;

  /** @param most places in all @param perHolder most of one holder */
  constructor(most: number, perHolder: number) {
    this.most = most;
    this.perHolder = perHolder;
  }

  /** @returns how to give the place back, or why there is none */
  take(holder: string): (() => void) | NoPlace {
    const own = this.#held.get(holder) ?? 0;
    if (own >= this.perHolder) return 'own';
    if (this.#taken >= this.most) return 'all';
    this.#taken++;
    this.#held.set(holder, own + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken--;
      const left = known(this.#held.get(holder), 'a place that is held') - 1;
      if (left === 0) this.#held.delete(holder);
      else this.#held.set(holder, left);
    };
  }
}
