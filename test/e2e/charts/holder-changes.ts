import test from 'ava';
import { type ModelTransfer, modelHolders } from '#test/helpers/chain-model.ts';
import { indexed } from './chain.ts';

const hour = 3_600;

/** Changes of the numbers of holders between two times. Standards of one contract count separately. */
function changesByHand(from: number, to: number): Map<string, number> {
  const times = new Map(indexed.blocks.map(({ number, time }) => [number, time]));
  const changes = new Map<string, number>();
  for (const kind of new Set(indexed.transfers.map(({ token, standard }) => `${token} ${standard}`))) {
    const [token = '', standard] = kind.split(' ');
    const own = indexed.transfers.filter((one) => one.token === token && one.standard === standard);
    const countAt = (time: number) => {
      const isBefore = ({ block }: ModelTransfer) => times.get(block)! < time;
      return modelHolders(own.filter(isBefore), token).size;
    };
    changes.set(token, (changes.get(token) ?? 0) + countAt(to) - countAt(from));
  }
  return new Map([...changes].filter(([, change]) => change !== 0));
}

test.serial('tokens that gained or lost holders equal a recount, over hours, days and open hours', async (t) => {
  const { blocks } = indexed;
  const [first, last] = [blocks[0]!.time, blocks.at(-1)!.time];
  const at = (share: number) => Math.floor((first + share * (last - first)) / hour) * hour;
  const state = (await indexed.pipeline.state())!;
  t.true(state.hourThrough <= last, 'the last hour is open');
  const windows = [
    [first, last],
    [at(0.2), at(0.6) + 5 * hour],
    [at(0.5), at(0.5) + hour],
    [at(0.9) + 7 * hour, last],
    [last, last],
  ] as const;
  let lost = 0;
  for (const [from, to] of windows) {
    const { status, body } = await indexed.api.get(`/api/v1/tokens/holder-changes?from=${from}&to=${to}&limit=200`);
    t.is(status, 200, JSON.stringify(body));
    const expected = changesByHand(Math.floor(from / hour) * hour, Math.floor(to / hour) * hour + hour);
    const found = [...body.gained, ...body.lost].map(({ token, change }) => [token, change] as const);
    t.deepEqual(new Map([...found].sort()), new Map([...expected].sort()), `${from} to ${to}`);
    for (const list of [body.gained, body.lost.map(({ change }: { change: number }) => ({ change: -change }))])
      t.deepEqual(
        list,
        [...list].sort((a, b) => b.change - a.change),
      );
    lost += body.counts.lost;
  }
  t.true(lost > 0);
  const empty = await indexed.api.get(`/api/v1/tokens/holder-changes?from=${last + 30 * 86_400}`);
  t.is(empty.status, 400);
});
