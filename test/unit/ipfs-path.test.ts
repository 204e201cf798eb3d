import test from 'ava';
import { readUri } from '#pipeline/nft/resolve-uri.ts';
import type { OutboundNetwork } from '#runtime/outbound/outbound.ts';

const settings = { ipfsGateway: 'https://gateway.example/base', timeoutMs: 1_000 };
// rejects every host, so that an accepted path ends with another error
const network = {
  trustedHosts: [],
  lookup: () => Promise.reject(new Error('no such host')),
} as unknown as OutboundNetwork;

test('a path of IPFS never leaves the folder of the gateway', async (t) => {
  for (const path of [
    'Qm/../../admin',
    'Qm/%2e%2e/%2E./admin',
    'Qm/.\t./.\t./x',
    'Qm/..%2f..%2Fadmin',
    'Qm%5c..%5cx',
    '/x',
  ])
    await t.throwsAsync(
      readUri(`ipfs://${path}`, 1_000, settings, network),
      { message: 'the IPFS path is invalid' },
      path,
    );
  const { message } = await t.throwsAsync(readUri('ipfs://Qm/1.json?a=1', 1_000, settings, network));
  t.not(message, 'the IPFS path is invalid');
});
