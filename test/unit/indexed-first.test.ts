import test from 'ava';
import { claimUnsent } from '#api/read/deposits/send-withdrawal.ts';
import { patchAddressSet } from '#api/routes/deposits/address-set.ts';

test('changes whose reply needs a block fail before one is indexed, because clients repeat them', async (t) => {
  const deps = { snapshots: { current: async () => undefined } } as never;
  const message = /nothing is indexed yet/;
  await t.throwsAsync(claimUnsent(deps, {} as never), { message });
  const input = { params: { id: 'x' }, body: { add: [], remove: [] }, query: {} } as never;
  await t.throwsAsync(async () => patchAddressSet.handle(deps, input), { message });
});
