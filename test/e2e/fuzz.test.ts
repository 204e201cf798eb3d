/**
 * Parameters of the requests come from the OpenAPI document. FUZZ_REQUESTS sets the number of requests (default 500).
 */
import test from 'ava';
import fc from 'fast-check';
import { type Dispatcher, request } from 'undici';
import { bearer, signIn } from '#test/helpers/identity.ts';
import { type IndexedChain, startIndexedChain, waitForTokens } from '#test/helpers/indexed-chain.ts';
import { pool } from '#test/helpers/pool.ts';

const requests = Number(process.env.FUZZ_REQUESTS ?? 500);
const [maxMs, maxBytes] = [2_000, 8_000_000];
let indexed: IndexedChain;

test.before(async () => {
  indexed = await startIndexedChain({ blocks: 150, seed: 8 }, { traces: 'on' });
  await waitForTokens(indexed);
});

test.after.always(() => indexed?.stop());

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly example?: string;
  readonly schema: { readonly enum?: readonly string[] };
}

interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: unknown;
}

interface Described {
  readonly parameters: Parameter[];
  readonly requestBody?: { content: Record<string, { example?: unknown }> };
  readonly responses: unknown;
}

const hostile = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '00',
  '9007199254740993',
  '115792089237316195423570985008687907853269984665640564039457584007913129639936',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '..%2f..%2f',
  "' OR 1=1 --",
  '"; DROP TABLE blocks; --',
  "\\'",
  '\\',
  '{x:String}',
  '%',
  '%00',
  '\u0000',
  '\ud800',
  '\ufeff',
  'é😀',
  '\r\nX-Bad: 1',
  '0x',
  '0X',
  `0x${'f'.repeat(40)}`,
  `0x${'0'.repeat(64)}`,
  `0x${'F'.repeat(64)}`,
  `0x${'g'.repeat(40)}`,
  '0x'.repeat(2000),
  'latest',
  'pending',
  'asc',
  'desc',
  'day',
  '4294967295',
  '4294967296',
  '99999999999999',
  '1:1:1:1',
  'a'.repeat(6000),
];

/** Usually only one parameter is bad, so that later checks of a request run too. */
function anyRequest({ path, parameters }: Operation): fc.Arbitrary<string> {
  const drawValue = ({ example, schema }: Parameter): fc.Arbitrary<string | undefined> => {
    const good = fc.constantFrom(...(schema.enum ?? []), ...(example === undefined ? [] : [example]), undefined);
    const bad = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.bigInt().map(String),
    );
    return fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: bad });
  };
  return fc.tuple(...parameters.map(drawValue), fc.boolean()).map((drawn) => {
    const values = new Map(parameters.map((parameter, at) => [parameter, drawn[at] as string | undefined]));
    const query: string[] = [];
    let url = path;
    for (const [{ name, in: place, example }, value] of values) {
      if (place === 'path') url = url.replace(`{${name}}`, () => encode(value ?? example ?? '1'));
      else if (value !== undefined) query.push(`${name}=${encode(value)}`);
    }
    if (drawn.at(-1) === true && query.length > 0 && query[0]!.length % 7 === 0) query.push(query[0]!);
    return query.length > 0 ? `${url}?${query.join('&')}` : url;
  });
}

function anyBody({ body }: Operation): fc.Arbitrary<string | undefined> {
  if (body === undefined) return fc.constant(undefined);
  const value = fc.oneof(fc.constantFrom(...hostile), fc.jsonValue());
  const names = Object.keys(body as object);
  const replaced =
    names.length === 0
      ? fc.constant(body)
      : fc.tuple(fc.constantFrom(...names), value).map(([name, other]) => ({ ...(body as object), [name]: other }));
  return fc.oneof(
    fc.constant(JSON.stringify(body)),
    replaced.map((one) => JSON.stringify(one)),
    fc.json(),
    fc.constantFrom(...hostile),
    fc.constant('['.repeat(20_000)),
  );
}

/** Lone surrogates become the bytes that a careless client sends. */
function encode(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return '%ED%A0%80';
  }
}

test.serial('API never answers a hostile value with a 5xx, slowly or without bound', async (t) => {
  const { body: document } = await indexed.api.get('/api/v1/openapi.json');
  const operations = Object.entries<Record<string, Described>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !JSON.stringify(responses).includes('text/event-stream')) // endless stream
      .map(([method, { parameters, requestBody }]) => ({
        method: method as Operation['method'],
        path,
        parameters,
        body: requestBody?.content['application/json']?.example,
      })),
  );
  t.true(operations.length > 30);
  const each = Math.ceil(requests / operations.length);
  const asked = operations.flatMap((operation) =>
    fc
      .sample(fc.tuple(anyRequest(operation), anyBody(operation)), { numRuns: each, seed: 42 })
      .map(([url, body]) => ({ url, body, method: operation.method })),
  );
  const credentials = bearer(await signIn(indexed.api));
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  await pool(asked.length, 4, async (at) => {
    const { url, body, method } = asked[at]!;
    const send = async (to: string, options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>) => {
      const startedAt = performance.now();
      const { statusCode, body: reply } = await request(indexed.api.origin + to, { headers: credentials, ...options });
      const bytes = (await reply.arrayBuffer()).byteLength;
      return { status: statusCode, bytes, ms: performance.now() - startedAt };
    };
    const ask = async () => {
      const reply = await send(url, { method: method.toUpperCase() as Dispatcher.HttpMethod, body: body ?? null });
      // a busy machine also slows a valid request; its text is new, so that no cache has the reply
      const good = `/api/v1/tokens?limit=2&q=${performance.now()}`;
      const usualMs = reply.ms > maxMs ? (await send(good, { method: 'GET' })).ms : 0;
      return { ...reply, isSlow: reply.ms > Math.max(maxMs, 4 * usualMs) };
    };
    const replies = [await ask()];
    while (replies.at(-1)!.isSlow && replies.length < 4) replies.push(await ask());
    const status = Math.max(...replies.map((reply) => reply.status));
    const bytes = Math.max(...replies.map((reply) => reply.bytes));
    const ms = Math.min(...replies.map((reply) => reply.ms));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500 || replies.every((reply) => reply.isSlow) || bytes > maxBytes)
      faults.push(`${method} ${url.slice(0, 300)}: ${status}, ${Math.round(ms)} ms, ${bytes} bytes`);
  });
  t.log(Object.fromEntries(statuses));
  t.deepEqual(faults, []);
  t.true((statuses.get(200) ?? 0) > asked.length / 20 && (statuses.get(400) ?? 0) > asked.length / 5);
  t.is((await indexed.api.get('/healthz')).status, 200);
});
