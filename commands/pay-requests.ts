/** Reads withdrawals from a file to which other programs append lines. */
import { readFileSync } from 'node:fs';
import { RefusedRequest, type WithdrawalSender } from '#integrator/withdrawal-sender.ts';
import { known } from '#runtime/known.ts';
import type { Log } from '#runtime/log.ts';

/** Returns a function that registers new lines of a file and then runs a step of the sender. */
export function payRequests(
  sender: Pick<WithdrawalSender, 'request' | 'step'>,
  path: string,
  log: Log,
): () => Promise<boolean> {
  let [read, linesRead] = ['', 0];
  const incomplete = new IncompleteLine(log);
  const readLines = async () => {
    const text = readFileSync(path, 'utf8');
    if (!text.startsWith(read)) {
      log.warn({ event: 'requests_replaced' }, `${path} has other lines than before: reads it from its first line`);
      [read, linesRead] = ['', 0]; // registering known ids again changes nothing
    }
    const lines = text.slice(read.length).split('\n');
    incomplete.note(known(lines.pop(), 'the text after the last line')); // another program may still be writing the last line
    for (const line of lines) {
      // after a storage error, read the same line again
      await requestLine(sender, line).catch((error: unknown) => {
        if (!(error instanceof RefusedRequest)) throw error;
        log.error({ event: 'request_refused', line: linesRead + 1, error: String(error) });
      });
      linesRead++;
      read += `${line}\n`;
    }
  };
  return async () => {
    // follow and resend signed payouts even if the file is missing
    const [lines] = await Promise.allSettled([readLines()]);
    const isBusy = await sender.step();
    if (lines.status === 'rejected') throw lines.reason;
    return isBusy;
  };
}

/** Time after which a line without a line end is an error, ms. */
const incompleteMs = 10_000;

/** Logs once if the last line has no line end. It is not paid, because part of it may be missing. */
class IncompleteLine {
  #text = '';
  #since = 0;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  note(text: string): void {
    if (text !== this.#text) [this.#text, this.#since] = [text, performance.now()];
    if (text.trim() === '' || performance.now() - this.#since < incompleteMs) return;
    this.#since = Number.POSITIVE_INFINITY;
    this.#log.error({ event: 'request_incomplete', line: text }, 'is not paid until a line break ends it');
  }
}

async function requestLine(sender: Pick<WithdrawalSender, 'request'>, line: string): Promise<void> {
  if (line.trim() === '') return;
  const [id, to, value = '', ...rest] = line.trim().split(/\s+/);
  if (!id || !to || !/^\d{1,78}$/.test(value) || rest.length > 0)
    throw new RefusedRequest(`a line must be "<id> <recipient> <wei>", got ${JSON.stringify(line)}`);
  await sender.request(id, to, BigInt(value));
}
