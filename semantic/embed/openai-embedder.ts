/**
 * Client of an embedding model behind an OpenAI-compatible endpoint.
 * @source https://platform.openai.com/docs/api-reference/embeddings/create
 */
import PQueue from 'p-queue';
import pRetry, { AbortError } from 'p-retry';
import { request } from 'undici';
import { splitIntoChunks } from '#runtime/lists.ts';
import { readBounded } from '#runtime/read-bounded.ts';
import { waitRetryAfter } from '#runtime/retry-after.ts';
import { withDeadline } from '#runtime/signals.ts';
import { type Embedder, EmbeddingError, type EmbeddingRole, normalize } from './embedder.ts';

export interface OpenAiEmbedderOptions {
  /** Base URL that ends in /v1, or the full URL that ends in /embeddings. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly dimensions: number;
  /** Prefix of each search query, for models such as e5, bge and nomic. */
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly batch?: number;
  readonly maxInFlight?: number;
  readonly timeoutMs?: number;
  readonly retries?: number;
}

interface Reply {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] | string }[];
}

/** HTTP status codes for rejected texts, for example too long ones. */
const statusesOfTexts = new Set([400, 413, 422]);
const maxWaitMs = 20_000;
const maxReplyBytes = 64 * 2 ** 20;

export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { model, dimensions, batch = 64, maxInFlight = 4 } = options;
  const prefixes: Record<EmbeddingRole, string> = { query: options.queryPrefix, document: options.documentPrefix };
  // short, because callers wait for their requests
  const queue = new PQueue({ concurrency: maxInFlight });
  return {
    id: `${model}@${dimensions}${prefixes.query || prefixes.document ? '+prefix' : ''}`,
    dimensions,
    embed: async (texts, role, signal) => {
      const prefixed = texts.map((text) => prefixes[role] + text);
      const vectors = await Promise.all(
        splitIntoChunks(prefixed, batch).map((some) =>
          queue.add(() => sendRetrying(options, some, signal), signal ? { signal } : {}),
        ),
      );
      return vectors.flatMap((some) => some ?? []);
    },
    close: async () => queue.clear(),
  };
}

async function sendRetrying(options: OpenAiEmbedderOptions, texts: readonly string[], signal?: AbortSignal) {
  const attempt = async () => {
    try {
      return await send(options, texts, signal);
    } catch (error) {
      if (signal?.aborted || (error instanceof EmbeddingError && !error.retryable))
        throw new AbortError(error as Error);
      throw error;
    }
  };
  return pRetry(attempt, {
    retries: options.retries ?? 4,
    minTimeout: 200,
    randomize: true,
    ...(signal ? { signal } : {}),
  });
}

async function send(
  options: OpenAiEmbedderOptions,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const { timeoutMs = 20_000, dimensions } = options;
  const reply = await withDeadline(timeoutMs, [signal], (limited) => ask(options, texts, limited));
  if ('retryAfter' in reply) {
    await waitRetryAfter(reply.retryAfter, maxWaitMs, signal);
    throw new EmbeddingError(`the embedding endpoint answered with HTTP status ${reply.status}`, true);
  }
  return sortByIndex(reply, texts.length, dimensions);
}

/** @returns the reply; `retryAfter` means that the endpoint is overloaded */
async function ask(options: OpenAiEmbedderOptions, texts: readonly string[], signal: AbortSignal) {
  const { url, model, key } = options;
  const reply = await request(/\/embeddings\/?$/.test(url) ? url : `${url.replace(/\/$/, '')}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
    signal,
  }).catch((error: unknown) => {
    throw new EmbeddingError(`the embedding endpoint did not answer: ${String(error)}`, true, { cause: error });
  });
  if (reply.statusCode === 429 || reply.statusCode >= 500) {
    await reply.body.dump();
    return { status: reply.statusCode, retryAfter: reply.headers['retry-after'] };
  }
  if (reply.statusCode !== 200) {
    await reply.body.dump();
    const isOfTexts = statusesOfTexts.has(reply.statusCode);
    throw new EmbeddingError(`the embedding endpoint answered with HTTP status ${reply.statusCode}`, false, {
      isOfTexts,
    });
  }
  return readJson(reply.body);
}

async function readJson(body: AsyncIterable<Buffer>): Promise<Reply> {
  const tooLarge = () => new EmbeddingError('the reply of the embedding endpoint is larger than 64 MiB', false);
  const bytes = await readBounded(body, maxReplyBytes, tooLarge);
  try {
    return JSON.parse(bytes.toString('utf8')) as Reply;
  } catch (error) {
    throw new EmbeddingError('the reply of the embedding endpoint is not valid JSON', true, { cause: error });
  }
}

/** Sorts and checks the vectors, because an endpoint may return them in any order. */
function sortByIndex(reply: Reply, count: number, dimensions: number): Float32Array[] {
  const vectors = new Array<Float32Array | undefined>(count);
  for (const { index, embedding } of reply.data ?? []) {
    if (!Number.isInteger(index) || index < 0 || index >= count || vectors[index])
      throw new EmbeddingError('the reply of the embedding endpoint has a duplicate or unknown text index', false);
    const vector = typeof embedding === 'string' ? decode(embedding) : Float32Array.from(embedding);
    if (vector.length !== dimensions)
      throw new EmbeddingError(
        `the embedding endpoint returned a vector of ${vector.length} numbers, expected ${dimensions}`,
        false,
      );
    if (!vector.every(Number.isFinite))
      throw new EmbeddingError(
        'the embedding endpoint returned a vector with a value that is not a finite number',
        false,
      );
    vectors[index] = normalize(vector);
  }
  if (!Array.from(vectors).every((vector) => vector !== undefined))
    throw new EmbeddingError('the reply of the embedding endpoint lacks the vector of at least one text', false);
  return vectors as Float32Array[];
}

function decode(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readFloatLE(i * 4));
}
