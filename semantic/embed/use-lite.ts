/** Runs Universal Sentence Encoder lite, an English embedding model, in a worker thread. */
import { Worker } from 'node:worker_threads';
import { type Embedder, EmbeddingError, normalize } from './embedder.ts';

const dimensions = 512;
/** Maximum characters of a text. Longer texts take more time without better vectors. */
const maxCharacters = 2_000;

const restMs = 10_000;
/** Maximum requests waiting for the worker. Each takes 8 ms or more, and a search waits at most 2 s. */
const maxWaiting = 64;

interface Waiting {
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: EmbeddingError) => void;
}

interface Answer {
  readonly id: number;
  readonly vectors?: Float32Array;
  readonly error?: string;
}

/** Creates the model. Its worker thread starts with the first text. */
export function createUseLite(): Embedder {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  /** Time before which no thread starts after a failure, Unix ms. */
  let restsUntil = 0;

  const fail = (message: string) => {
    worker = undefined;
    restsUntil = Date.now() + restMs;
    for (const { reject } of waiting.values()) reject(new EmbeddingError(message, true));
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./use-lite-worker.mjs', import.meta.url), { execArgv: [] });
    started.on('message', ({ id, vectors, error }: Answer) => {
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
      if (vectors) resolve?.(split(vectors));
      else reject?.(new EmbeddingError(error ?? 'the model returned no vectors', false));
    });
    started.on('error', (error) => fail(String(error)));
    started.on('exit', () => worker === started && fail('the worker thread of the model exited'));
    return started;
  };

  return {
    id: 'use-lite-en@0.2.0',
    dimensions,
    embed: (texts) =>
      new Promise<Float32Array[]>((resolve, reject) => {
        if (texts.length === 0) return resolve([]);
        if (!worker && Date.now() < restsUntil)
          return reject(new EmbeddingError('the embedding model failed a moment ago', true));
        if (waiting.size >= maxWaiting) return reject(new EmbeddingError('too many texts wait for the model', true));
        worker ??= start();
        worker.ref();
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, texts: texts.map((text) => text.slice(0, maxCharacters)) });
      }),
    close: async () => {
      const running = worker;
      worker = undefined;
      fail('the embedding model was closed');
      await running?.terminate();
    },
  };
}

function split(vectors: Float32Array): Float32Array[] {
  return Array.from({ length: vectors.length / dimensions }, (_, i) =>
    normalize(vectors.slice(i * dimensions, (i + 1) * dimensions)),
  );
}
