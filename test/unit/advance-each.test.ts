import test from 'ava';
import { advanceEach } from '#runtime/advance-each.ts';
import { waitFor } from '#test/helpers/processes.ts';

test('slow items of one group leave places to the other groups', async (t) => {
  const stop = new AbortController();
  let release = () => {};
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun: string[] = [];
  const names = ['slow 1', 'slow 2', 'slow 3', 'slow 4', 'quick 1'];
  const ended = advanceEach<string>(
    {
      list: async () => names,
      getId: (name) => name,
      getGroup: (name) => name.slice(0, -2),
      hasWork: (name) => !begun.includes(name),
      advance: async (name) => {
        begun.push(name);
        if (name.startsWith('slow')) await hanging;
      },
      onListError: (error) => t.fail(String(error)),
      ...{ atOnce: 3, atOncePerGroup: 2, everyMs: 10 },
    },
    stop.signal,
  );
  await waitFor(async () => begun.includes('quick 1'), 5_000, 'the other group has a place');
  t.deepEqual(begun.toSorted(), ['quick 1', 'slow 1', 'slow 2']);
  release();
  await waitFor(async () => begun.length === names.length, 5_000, 'the rest of the group follows');
  stop.abort();
  await ended;
});
