/**
 * Reads the burned amount of a legacy token from a node of its chain, or from a document. Holders burn legacy tokens in
 * exchange for the coin of this chain.
 */
import { readFile } from 'node:fs/promises';
import { id } from 'ethers';
import { request } from 'undici';
import { z } from 'zod';
import { maxUint256 } from '#chain/codec/hex.ts';
import { readBounded } from '#runtime/read-bounded.ts';

export interface OriginSource {
  readonly url: string;
  /** Contract of the legacy token. Unset: `url` is a document. */
  readonly token: string | undefined;
}

export interface OriginReading {
  /** Burned amount of the legacy token, wei. */
  readonly burned: bigint | null;
  readonly source: 'node' | 'document' | null;
  readonly name: string | null;
  readonly block: number | null;
  readonly readAtMs: number;
  readonly asOf: string | null;
  /** Time of the block or document from which the amount was read, Unix ms; null: unknown. */
  readonly asOfMs: number | null;
  readonly fault: 'not_configured' | 'unreachable' | 'unreadable' | null;
}

const timeoutMs = 5_000;
const maxBytes = 65_536;
const totalBurned = id('totalBurned()').slice(0, 10);

const Document = z.object({
  burned: z.string().regex(/^\d{1,78}$/),
  asOf: z.union([z.string().max(64), z.number()]).optional(),
  block: z.number().int().nonnegative().optional(),
});
const Quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i);
const Answer = z.object({ result: Quantity });
const Block = z.object({ result: z.object({ timestamp: Quantity }) });

class UnreadableOrigin extends Error {
  override readonly name = 'UnreadableOrigin';
}

export async function readOrigin(source: OriginSource | undefined): Promise<OriginReading> {
  const readAtMs = Date.now();
  const unread = { burned: null, block: null, asOf: null, asOfMs: null, readAtMs };
  if (!source) return { ...unread, source: null, name: null, fault: 'not_configured' };
  const kind = source.token === undefined ? 'document' : 'node';
  const name = getName(source.url);
  try {
    const read = source.token === undefined ? readDocument(source.url) : readNode(source.url, source.token);
    return { ...unread, ...(await read), source: kind, name, fault: null };
  } catch (error) {
    return { ...unread, source: kind, name, fault: error instanceof UnreadableOrigin ? 'unreadable' : 'unreachable' };
  }
}

function getName(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return protocol === 'file:' ? (pathname.split('/').at(-1) ?? '') : host;
}

async function readDocument(url: string) {
  const text = url.startsWith('file:') ? await readFile(new URL(url), 'utf8') : await fetchText(url, undefined);
  const { burned, asOf, block } = parse(Document, text);
  const amount = { burned: inRange(BigInt(burned)), block: block ?? null };
  return asOf === undefined ? amount : { ...amount, asOf: String(asOf), asOfMs: parseTime(asOf) };
}

async function readNode(url: string, token: string) {
  const ask = async (method: string, params: unknown[]) =>
    fetchText(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const block = parse(Answer, await ask('eth_blockNumber', [])).result;
  const [answer, asOfMs] = await Promise.all([
    ask('eth_call', [{ to: token, data: totalBurned }, block]),
    // without its time, a total that lacks the newest burns would look like coins minted without a burn
    ask('eth_getBlockByNumber', [block, false]).then((text) => Number(parse(Block, text).result.timestamp) * 1_000),
  ]);
  return { burned: BigInt(parse(Answer, answer).result), block: Number(block), asOfMs };
}

/** @param asOf ISO 8601 or Unix seconds @returns Unix ms; null for any other text */
function parseTime(asOf: string | number): number | null {
  const isUnix = typeof asOf === 'number' || /^\d+$/.test(asOf);
  const ms = isUnix ? Number(asOf) * 1_000 : Date.parse(asOf);
  return Number.isFinite(ms) ? ms : null;
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new UnreadableOrigin('the reply with the burned total is not valid JSON of the expected form', {
      cause: error,
    });
  }
}

function inRange(value: bigint): bigint {
  if (value > maxUint256)
    throw new UnreadableOrigin(`the field burned (burned total, wei) must be less than 2^256, got ${value}`);
  return value;
}

async function fetchText(url: string, body: string | undefined): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { 'content-type': 'application/json' };
  const reply = await request(url, body === undefined ? { signal } : { method: 'POST', body, headers, signal });
  const tooLarge = () => new UnreadableOrigin(`the reply with the burned total must be at most ${maxBytes} bytes`);
  const text = await readBounded(reply.body, maxBytes, tooLarge);
  if (reply.statusCode !== 200)
    throw new Error(`the source of the burned total must reply with HTTP status 200, got ${reply.statusCode}`);
  return text.toString('utf8');
}
