/**
 * Reads the burned amount of a legacy token from a node of its chain or from a document. Holders burn legacy tokens in
 * exchange for coins of this chain.
 */
import { readFile, stat } from 'node:fs/promises';
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
  /** Wei. */
  readonly burned: bigint | null;
  readonly source: 'node' | 'document' | null;
  readonly name: string | null;
  readonly block: number | null;
  readonly readAtMs: number;
  readonly asOf: string | null;
  /** Time of the block or document that contains the amount, Unix ms; null: unknown. */
  readonly asOfMs: number | null;
  readonly fault: 'not_configured' | 'unreachable' | 'unreadable' | null;
}

const timeoutMs = 5_000;
const maxBytes = 65_536;
/** Maximum clock difference to another machine. Rejects Unix ms given instead of seconds. */
const maxSkewMs = 3_600_000;
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

/** Reads a document. Its age is that of `asOf`, else of the file or of the header Last-Modified. */
async function readDocument(url: string) {
  const { text, modifiedMs } = url.startsWith('file:')
    ? await readLocal(new URL(url))
    : await fetchText(url, undefined);
  const { burned, asOf, block } = parse(Document, text);
  const amount = { burned: inRange(BigInt(burned)), block: block ?? null };
  if (asOf === undefined) return { ...amount, asOfMs: modifiedMs };
  return { ...amount, asOf: String(asOf), asOfMs: parseTime(asOf) ?? modifiedMs };
}

interface ReadText {
  readonly text: string;
  /** Unix ms; null: unknown. */
  readonly modifiedMs: number | null;
}

async function readLocal(url: URL): Promise<ReadText> {
  const { mtimeMs } = await stat(url);
  return { text: await readFile(url, 'utf8'), modifiedMs: mtimeMs };
}

async function readNode(url: string, token: string) {
  const ask = async (method: string, params: unknown[]) =>
    (await fetchText(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).text;
  const block = parse(Answer, await ask('eth_blockNumber', [])).result;
  const [answer, asOfMs] = await Promise.all([
    ask('eth_call', [{ to: token, data: totalBurned }, block]),
    // callers need the time of the total: coins minted later would seem to lack burns
    ask('eth_getBlockByNumber', [block, false]).then((text) => Number(parse(Block, text).result.timestamp) * 1_000),
  ]);
  return { burned: BigInt(parse(Answer, answer).result), block: Number(block), asOfMs };
}

/**
 * @param asOf ISO 8601 (UTC without a zone) or Unix seconds
 * @returns Unix ms; null for other text or a future time
 */
function parseTime(asOf: string | number): number | null {
  const isUnix = typeof asOf === 'number' || /^\d+$/.test(asOf);
  const isLocal = !isUnix && /T[\d:.]+$/.test(asOf);
  const ms = isUnix ? Number(asOf) * 1_000 : Date.parse(isLocal ? `${asOf}Z` : asOf);
  return Number.isFinite(ms) && ms < Date.now() + maxSkewMs ? ms : null;
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

async function fetchText(url: string, body: string | undefined): Promise<ReadText> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { 'content-type': 'application/json' };
  const reply = await request(url, body === undefined ? { signal } : { method: 'POST', body, headers, signal });
  const tooLarge = () => new UnreadableOrigin(`the reply with the burned total must be at most ${maxBytes} bytes`);
  const text = await readBounded(reply.body, maxBytes, tooLarge);
  if (reply.statusCode !== 200)
    throw new Error(`the source of the burned total must reply with HTTP status 200, got ${reply.statusCode}`);
  const modifiedMs = Date.parse(String(reply.headers['last-modified'] ?? ''));
  return { text: text.toString('utf8'), modifiedMs: Number.isFinite(modifiedMs) ? modifiedMs : null };
}
