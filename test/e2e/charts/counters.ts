import test from 'ava';
import { listCounters } from '#api/routes/charts/list-counters.ts';
import type { ChainState } from '#sql/snapshot.ts';
import { alterSnapshots } from '#test/helpers/altered-snapshots.ts';
import { indexed } from './chain.ts';

test.serial('counters that missing or earlier blocks can change are absent', async (t) => {
  const { deps } = indexed.api;
  const read = async (change: Partial<ChainState>) => {
    const snapshots = alterSnapshots(deps.snapshots, (state) => ({ ...state, ...change }));
    const { counters } = (await listCounters.handle({ ...deps, snapshots }, { params: {}, query: {} } as never)) as {
      counters: { id: string }[];
    };
    return counters.map(({ id }) => id);
  };
  const recent = [
    'averageBlockTime',
    'newContracts24h',
    'newTxns24h',
    'txnsFee24h',
    'averageTxnFee24h',
    'yesterdayTxns',
  ];
  t.true((await read({})).includes('totalTxns'));
  for (const change of [{ quarantined: [3] }, { startBlock: 2 }]) {
    const ids = await read(change);
    t.deepEqual(
      ids.filter((id) => !recent.includes(id)),
      [],
    );
    t.true(ids.includes('averageBlockTime'), JSON.stringify(change));
  }
  t.deepEqual(await read({ quarantined: [(await deps.snapshots.current())!.head - 1] }), []);
});
