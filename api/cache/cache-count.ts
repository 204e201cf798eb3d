/** How often a cache had what was asked of it. */
export class CacheCount {
  hits = 0;
  misses = 0;

  /** @returns what it was given */
  note<T>(found: T | undefined): T | undefined {
    if (found === undefined) this.misses++;
    else this.hits++;
    return found;
  }
}
