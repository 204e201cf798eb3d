/** Limits concurrent streams, exports and clients: in total, per caller (holder), and per network of callers. */
import { known } from '../known.ts';

/** Reached limit. own: of the caller; network: of its network; all: total. */
export type NoPlace = 'own' | 'network' | 'all';

export class Places {
  readonly #held = new Map<string, number>();
  #taken = 0;
  readonly most: number;
  readonly perHolder: number;
  readonly perNetwork: number;

  /** @param perNetwork limit for callers with a network: one person can have many identities, but few networks */
  constructor(most: number, perHolder: number, perNetwork = most) {
    this.most = most;
    this.perHolder = perHolder;
    this.perNetwork = perNetwork;
  }

  /**
   * Takes a place for a caller.
   * @param network undefined: only the other limits apply
   * @returns the function that releases the place (safe to call twice), or the reached limit
   */
  take(holder: string, network?: string): (() => void) | NoPlace {
    const keys = [`holder ${holder}`, ...(network === undefined ? [] : [`network ${network}`])];
    const [own, ofNetwork = 0] = keys.map((key) => this.#held.get(key) ?? 0);
    if (known(own, 'the places of the caller') >= this.perHolder) return 'own';
    if (ofNetwork >= this.perNetwork) return 'network';
    if (this.#taken >= this.most) return 'all';
    this.#change(keys, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#change(keys, -1);
      isHeld = false;
    };
  }

  #change(keys: readonly string[], by: 1 | -1): void {
    this.#taken += by;
    for (const key of keys) {
      const count = (this.#held.get(key) ?? 0) + by;
      if (count === 0) this.#held.delete(key);
      else this.#held.set(key, count);
    }
  }
}
