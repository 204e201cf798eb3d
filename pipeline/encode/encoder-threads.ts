/**
 * Decodes, checks and encodes blocks on other threads. The calling thread encodes the first batches, and all after a
 * thread failed.
 */
import { Piscina } from 'piscina';
import type { Reading } from '#chain/rpc/read-reply.ts';
import type { Log } from '#runtime/log.ts';
import { type EncodedBlocks, type EncodeTask, encodeReply } from './encode-reply.ts';
import { isMovable } from './range-rows.ts';

export interface BlockEncoder {
  encode(task: EncodeTask): Promise<Reading<EncodedBlocks>>;
}

interface ClosableEncoder extends BlockEncoder {
  close(): Promise<void>;
}

export const ownThread: ClosableEncoder = { encode: async (task) => encodeReply(task), close: async () => {} };

/** First batches, encoded by the calling thread: a short history ends before threads start. */
const batchesBeforeThreads = 40;
const idleMs = 10_000;
const threadFile = new URL('../../bin/encode-blocks.mjs', import.meta.url).href;

interface EncoderOptions {
  readonly log: Log;
  readonly batchesBefore?: number;
}

/** @param threads 0: the calling thread encodes */
export const createEncoder = (threads: number, options: EncoderOptions): ClosableEncoder =>
  threads > 0 ? new EncoderThreads(threads, options) : ownThread;

class EncoderThreads implements ClosableEncoder {
  readonly #threads: Piscina<EncodeTask, Reading<EncodedBlocks>>;
  readonly #log: Log;
  #batchesBefore: number;

  constructor(maxThreads: number, { log, batchesBefore = batchesBeforeThreads }: EncoderOptions) {
    this.#log = log;
    this.#batchesBefore = batchesBefore;
    this.#threads = new Piscina({ filename: threadFile, minThreads: 0, maxThreads, idleTimeout: idleMs });
  }

  /** @throws the error of a thread; fetch the reply again */
  async encode(task: EncodeTask): Promise<Reading<EncodedBlocks>> {
    if (this.#batchesBefore-- > 0) return ownThread.encode(task);
    const { buffer } = task.body;
    try {
      return await this.#threads.run(task, { transferList: isMovable(buffer) ? [buffer] : [] });
    } catch (error) {
      this.#batchesBefore = Number.POSITIVE_INFINITY;
      this.#log.warn(
        { event: 'encoder_thread_error', error: String(error) },
        'an encoder thread failed; the main thread encodes blocks from now on',
      );
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#threads.destroy();
  }
}
