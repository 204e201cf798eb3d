/** A venue of the dev chain: an HTTPS order-book feed in the shape of Binance, whose levels are what its own pair would give. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { z } from 'zod';
import { known } from '#runtime/known.ts';
import type { DevRpc } from './dev-rpc.ts';
import type { World } from './world.ts';

/** Where the feed is, as the dev chain writes it for the API. */
export const DevFeed = z.strictObject({
  /** Host with port; its name leads nowhere, those who read the feed connect to this machine. */
  host: z.string().regex(/^order-book\.devchain\.test:\d{1,5}$/),
  /** Certificate of the feed, PEM: the only one that is believed of this host. */
  authority: z.string().min(1),
  venue: z.string(),
  pair: z.string(),
  feedUrl: z.url({ protocol: /^https$/ }),
});

export type DevFeed = z.infer<typeof DevFeed>;

export interface RunningFeed {
  readonly feed: DevFeed;
  stop(): Promise<void>;
}

/** Reserved for tests by RFC 6761: nobody can own it. */
const hostName = 'order-book.devchain.test';
const path = '/api/v3/depth';
const pair = 'FAT/USDT';
const symbol = pair.replace('/', '');
/** Levels of each side: more than are shown. */
const levels = 60;
/** A level is this part of the pair's coin. */
const chunkOf = 200n;
/** What the pair keeps of a trade, ten-thousandths. */
const feeBps = 30n;
const coinDecimals = 18n;
const dollarDecimals = 6n;

/** @param host that it listens on */
export async function startOrderBookFeed(rpc: DevRpc, world: World, host: string): Promise<RunningFeed> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: hostName }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostName }] }],
  });
  const server = createServer({ key, cert }, (request, response) => {
    const url = new URL(request.url ?? '/', `https://${hostName}`);
    const send = (status: number, document: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    if (url.pathname !== path || url.searchParams.get('symbol') !== symbol) return void send(404, {});
    readBook(rpc, world).then(
      (book) => send(200, book),
      () => send(503, {}),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `${hostName}:${port}`;
  return {
    feed: {
      host: origin,
      authority: cert,
      venue: 'Dev Exchange',
      pair,
      feedUrl: `https://${origin}${path}?symbol=${symbol}`,
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBook(rpc: DevRpc, { pair: address, contracts, wfatIsToken0 }: World) {
  const { abi } = contracts.Pair;
  const call = { to: address, data: abi.encodeFunctionData('getReserves') };
  const [block, reserves] = await rpc.batch<string>([
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_call', params: [call, 'latest'] },
  ]);
  const reply = known(reserves, 'the reserves of the pair');
  const [reserve0, reserve1] = abi.decodeFunctionResult('getReserves', reply) as unknown as [bigint, bigint];
  const [coin, dollars] = wfatIsToken0 ? [reserve0, reserve1] : [reserve1, reserve0];
  return { lastUpdateId: Number(block), ...bookOf(coin, dollars) };
}

/** What chunk after chunk of the coin costs and brings in a pair whose reserves multiply to a constant. @param coin,dollars smallest units */
export function bookOf(coin: bigint, dollars: bigint): Record<'bids' | 'asks', [price: string, size: string][]> {
  const [chunk, product] = [coin / chunkOf, coin * dollars];
  const size = decimal(chunk, coinDecimals);
  const price = (quote: bigint) => decimal((quote * 10n ** coinDecimals) / chunk, dollarDecimals);
  const side = (sign: 1n | -1n) =>
    Array.from({ length: levels }, (_, i): [string, string] => {
      const [before, after] = [BigInt(i), BigInt(i + 1)].map((n) => product / (coin - sign * n * chunk)) as [
        bigint,
        bigint,
      ];
      const quote = sign * (after - before);
      return [price((quote * (10_000n + sign * feeBps)) / 10_000n), size];
    });
  return { bids: side(-1n), asks: side(1n) };
}

function decimal(value: bigint, decimals: bigint): string {
  const text = value.toString().padStart(Number(decimals) + 1, '0');
  return `${text.slice(0, -Number(decimals))}.${text.slice(-Number(decimals))}`;
}
