import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { embedTexts } from '#pipeline/jobs/embed-texts.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from '#semantic/embed/openai-embedder.ts';

type Answer = (texts: string[], response: ServerResponse, call: number, request: IncomingMessage) => void;

async function endpoint(t: ExecutionContext, answer: Answer, options: Partial<OpenAiEmbedderOptions> = {}) {
  const calls: string[][] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { input } = JSON.parse(body) as { input: string[] };
    calls.push(input);
    answer(input, response, calls.length, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const common = {
    model: 'm',
    key: 'secret',
    dimensions: 3,
    queryPrefix: '',
    documentPrefix: '',
    timeoutMs: 10_000,
    retries: 2,
  };
  return { embedder: createOpenAiEmbedder({ ...common, url, ...options }), calls };
}

/** The direction of the vector identifies the text. */
const toVector = (text: string) => [text.length, 2, 0];
const send = (response: ServerResponse, data: unknown) => response.end(JSON.stringify({ data }));
const floats: Answer = (texts, response) =>
  send(
    response,
    texts.map((text, index) => ({ index, embedding: toVector(text) })),
  );
const isOf = (t: ExecutionContext, vector: Float32Array, text: string) => {
  const length = Math.hypot(...toVector(text));
  for (const [i, value] of toVector(text).entries()) t.true(Math.abs(vector[i]! - value / length) < 1e-6);
};
const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];

test('embedder batches, sorts by index, normalises, and sends key and prefix', async (t) => {
  let authorization: string | undefined;
  const shuffled: Answer = (some, response, _, request) => {
    authorization = request.headers.authorization;
    send(response, some.map((text, index) => ({ index, embedding: toVector(text) })).reverse());
  };
  const { embedder, calls } = await endpoint(t, shuffled, { batch: 2, queryPrefix: 'query: ' });
  const vectors = await embedder.embed(texts, 'query');
  vectors.forEach((vector, i) => {
    isOf(t, vector, `query: ${texts[i]}`);
  });
  t.deepEqual(calls.map((some) => some.length).sort(), [1, 2, 2]);
  t.is(authorization, 'Bearer secret');
});

test('embedder accepts base64', async (t) => {
  const { embedder } = await endpoint(t, (some, response) =>
    send(
      response,
      some.map((text, index) => ({
        index,
        embedding: Buffer.from(Float32Array.from(toVector(text)).buffer).toString('base64'),
      })),
    ),
  );
  isOf(t, (await embedder.embed(['abc'], 'document'))[0]!, 'abc');
});

test('embedder retries after 429, as Retry-After says, and after 503', async (t) => {
  const { embedder, calls } = await endpoint(t, (some, response, call, request) => {
    if (call === 1) response.writeHead(429, { 'retry-after': '0.3' }).end();
    else if (call === 2) response.writeHead(503).end();
    else floats(some, response, call, request);
  });
  const startedAt = performance.now();
  isOf(t, (await embedder.embed(['abc'], 'query'))[0]!, 'abc');
  t.is(calls.length, 3);
  t.true(performance.now() - startedAt >= 300);
});

const refused: Readonly<Record<string, Answer>> = {
  'another dimension': (some, response) =>
    send(
      response,
      some.map((_, index) => ({ index, embedding: [1, 2] })),
    ),
  'a vector too few': (_, response) => send(response, [{ index: 0, embedding: [1, 2, 3] }]),
  'the same index twice': (some, response) =>
    send(
      response,
      some.map(() => ({ index: 0, embedding: [1, 2, 3] })),
    ),
  'what is no number': (some, response) =>
    send(
      response,
      some.map((_, index) => ({ index, embedding: [1, null, 'x'] })),
    ),
  'status 400': (_, response) => void response.writeHead(400).end(),
};
for (const [name, answer] of Object.entries(refused)) {
  test(`embedder rejects without a retry: ${name}`, async (t) => {
    const { embedder, calls } = await endpoint(t, answer);
    await t.throwsAsync(embedder.embed(['a', 'b'], 'query'), { name: 'EmbeddingError' });
    t.is(calls.length, 1);
  });
}

test('embedder gives up on an endpoint that never answers', async (t) => {
  const { embedder } = await endpoint(t, () => {}, { timeoutMs: 60, retries: 1 });
  await t.throwsAsync(embedder.embed(['a'], 'query'), { name: 'EmbeddingError' });
});

test('rejected text does not affect the vectors of others', async (t) => {
  const { embedder } = await endpoint(t, (some, response, call, request) => {
    if (some.includes('ccc')) response.writeHead(400).end();
    else floats(some, response, call, request);
  });
  const vectors = await embedTexts(embedder, texts);
  vectors.forEach((vector, i) => {
    if (texts[i] === 'ccc') t.is(vector, undefined);
    else isOf(t, vector!, texts[i]!);
  });
});

test('model that also rejects plain words has rejected none of the texts', async (t) => {
  for (const status of [400, 401]) {
    const { embedder, calls } = await endpoint(t, (_, response) => void response.writeHead(status).end());
    await t.throwsAsync(embedTexts(embedder, texts), { name: 'EmbeddingError' });
    t.is(calls.length, status === 400 ? 2 : 1);
  }
});
