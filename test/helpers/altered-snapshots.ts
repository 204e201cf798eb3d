import type { Snapshots } from '#api/read/chain/snapshot-reader.ts';
import type { ChainState } from '#sql/snapshot.ts';

/** Returns the snapshots of `real`. `alter` changes each state before a reader gets it. */
export function alterSnapshots(real: Snapshots, alter: (state: ChainState) => ChainState): Snapshots {
  const read = async (name: 'current' | 'fresh') => {
    const state = await real[name]();
    return state && alter(state);
  };
  return Object.create(real, {
    current: { value: () => read('current') },
    fresh: { value: () => read('fresh') },
    run: { value: (use: (state: ChainState) => unknown) => real.run(async (state) => use(alter(state))) },
  }) as Snapshots;
}
