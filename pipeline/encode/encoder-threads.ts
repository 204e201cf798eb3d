/** Decodes, checks and encodes blocks on other threads, so that the main thread only moves bytes. */
import { Piscina } from 'piscina';
import type { Reading } from '#chain/rpc/read-reply.ts';
import { type EncodedBlocks, type EncodeTask, encodeReply } from './encode-reply.ts';

export interface BlockEncoder {
  /** @throws an error of the thread, which then starts anew */
  encode(task: EncodeTask): Promise<Reading<EncodedBlocks>>;
}

interface ClosableEncoder extends BlockEncoder {
  close(): Promise<void>;
}

/** Encodes on the calling thread. */
export const ownThread: ClosableEncoder = { encode: async (task) => encodeReply(task), close: async () => {} };

/** Batches that the main thread encodes first: a short history ends before a thread has started. */
const batchesBeforeThreads = 40;
const idleMs = 10_000;
const threadFile = new URL('../../bin/encode-blocks.mjs', import.meta.url).href;

/**
 * @param threads 0: the calling thread encodes
 * @param batchesBefore number of batches that the calling thread encodes before threads start
 */
export const createEncoder = (threads: number, batchesBefore = batchesBeforeThreads): ClosableEncoder =>
  threads > 0 ? new EncoderThreads(threads, batchesBefore) : ownThread;

class EncoderThreads implements ClosableEncoder {
  readonly #threads: Piscina<EncodeTask, Reading<EncodedBlocks>>;
  #batchesBefore: number;

  constructor(maxThreads: number, batchesBefore: number) {
    this.#batchesBefore = batchesBefore;
    this.#threads = new Piscina({ filename: threadFile, minThreads: 0, maxThreads, idleTimeout: idleMs });
  }

  async encode(task: EncodeTask): Promise<Reading<EncodedBlocks>> {
    if (this.#batchesBefore-- > 0) return ownThread.encode(task);
    const { buffer } = task.body;
    const transferList = buffer instanceof ArrayBuffer && buffer.byteLength !== Buffer.poolSize ? [buffer] : [];
    return this.#threads.run(task, { transferList });
  }

  close(): Promise<void> {
    return this.#threads.destroy();
  }
}
