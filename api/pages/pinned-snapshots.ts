/** All routes that one page asks read by one state of the chain, so that its parts agree with each other. */
import type { ChainState } from '#sql/snapshot.ts';
import type { ApiDeps } from '../deps.ts';
import { SnapshotReader } from '../snapshot-reader.ts';

class PinnedSnapshots extends SnapshotReader {
  constructor(
    { database, statements }: SnapshotReader,
    readonly state: ChainState,
  ) {
    super(database, statements);
  }

  override async current(): Promise<ChainState> {
    return this.state;
  }

  override run<T>(read: (state: ChainState) => Promise<T>): Promise<T> {
    return read(this.state);
  }
}

/** Runs `read` with routes that all see one state; made anew where that state did not hold. */
export function withOneState<T>(deps: ApiDeps, read: (deps: ApiDeps) => Promise<T>): Promise<T> {
  return deps.snapshots.run((state) => read({ ...deps, snapshots: new PinnedSnapshots(deps.snapshots, state) }));
}
