/** Order-book feed over HTTPS in Binance's format, computed from the reserves of a pair contract. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { known } from '#runtime/known.ts';
import type { DevRpc } from './dev-rpc.ts';
import type { World } from './world.ts';

export const DevFeed = z.strictObject({
  /** Host with port. DNS doesn't know the host; the API connects to the local machine. */
  host: z.string().regex(/^order-book\.devchain\.test:\d{1,5}$/),
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

/** RFC 6761 reserves .test, so the name can't be registered. */
const hostName = 'order-book.devchain.test';
const path = '/api/v3/depth';
const pair = 'FAT/USDT';
const symbol = pair.replace('/', '');
const levels = 60;
/** An order-book level has the coin reserve divided by this number. */
const coinDivisor = 200n;
/** Trading fee, 1/10,000. */
const feeBps = 30n;
const coinDecimals = 18n;
const dollarDecimals = 6n;

export async function startOrderBookFeed(rpc: DevRpc, world: World, host: string): Promise<RunningFeed> {
  const { generate } = await import('selfsigned'); // loading takes 90 ms, and only some chains have a feed
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
  return { lastUpdateId: Number(block), ...buildOrderBook(coin, dollars) };
}

/** Builds an order book from a constant-product pair. @param coin,dollars reserves in smallest units */
export function buildOrderBook(
  coin: bigint,
  dollars: bigint,
): Record<'bids' | 'asks', [price: string, size: string][]> {
  const [chunk, product] = [coin / coinDivisor, coin * dollars];
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
