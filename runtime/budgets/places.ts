/** Limits concurrent streams, exports and clients, in total and per caller (holder). */
import { known } from '../known.ts';

/** Reached limit. own: the limit of the caller; all: the total limit. */
type NoPlace = 'own' | 'all';

export class Places {
  readonly #held = new Map<string, number>();
  #taken = 0;
  readonly most: number;
  readonly perHolder: number;

  constructor(most: number, perHolder: number) {
    this.most = most;
    this.perHolder = perHolder;
  }

  /**
   * Takes a place for a caller.
   * @returns the function that releases the place (safe to call twice), or the reached limit
   */
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
      const left = known(this.#held.get(holder), 'the count of held places') - 1;
      if (left === 0) this.#held.delete(holder);
      else this.#held.set(holder, left);
    };
  }
}
