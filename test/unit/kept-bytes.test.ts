import test from 'ava';
import { RateTiers } from '#api/http/rate-tiers.ts';

test('identities of one network share a limit of stored bytes', async (t) => {
  const rates = new RateTiers({
    mode: 'enforce',
    perMinute: { anonymous: 100, keyed: 100, operator: 100 },
    perNetwork: 1_000,
    perWatcher: 100,
    watchers: 'anywhere',
    proxyHops: 0,
    storedBytesPerDay: { anonymous: 10, keyed: 1_000, operator: 1_000 },
  });
  const keep = (name: string, network: string, bytes: number) => rates.keep({ tier: 'keyed', name, network }, bytes);
  for (let i = 0; i < 8; i++) t.is(await keep(`identity ${i}`, 'a', 1_000), undefined);
  t.truthy(await keep('identity 9', 'a', 1));
  t.is(await keep('identity 9', 'b', 1), undefined, 'another network');
  t.truthy(await keep('identity 0', 'b', 1), 'the limit of the identity');
});
