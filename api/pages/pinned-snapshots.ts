/** Makes all routes of a page read one chain snapshot, so that the parts of the page agree. */
import type { ChainState } from '#sql/snapshot.ts';
import type { Snapshots } from '../read/chain/snapshot-reader.ts';
import type { SnapshotDeps } from '../read/reader-deps.ts';

class PinnedSnapshots implements Snapshots {
  /** Infinite, so that no route waits for a later block. */
  readonly lastHead = Number.POSITIVE_INFINITY;
  readonly snapshots: Snapshots;
  readonly state: ChainState;

  constructor(snapshots: Snapshots, state: ChainState) {
    this.snapshots = snapshots;
    this.state = state;
  }

  get lastVersion(): number {
    return this.state.version;
  }

  isStill(version: number): Promise<boolean> {
    return this.snapshots.isStill(version);
  }

  async current(): Promise<ChainState> {
    return this.state;
  }

  fresh(): Promise<ChainState> {
    return this.current();
  }

  run<T>(read: (state: ChainState) => Promise<T>): Promise<T> {
    return read(this.state);
  }
}

/**
 * Removes the page's snapshot from dependencies, for values that several pages share: such a value could keep blocks
 * that a reorg removed.
 */
export function unpinned<D extends SnapshotDeps>(deps: D): D {
  const { snapshots } = deps;
  return snapshots instanceof PinnedSnapshots ? { ...deps, snapshots: snapshots.snapshots } : deps;
}

/** Calls `read` with a fixed snapshot. Repeats the call if a reorg invalidates the snapshot. */
export function withPinnedSnapshot<T, D extends SnapshotDeps>(deps: D, read: (deps: D) => Promise<T>): Promise<T> {
  return deps.snapshots.run((state) => read({ ...deps, snapshots: new PinnedSnapshots(deps.snapshots, state) }));
}
