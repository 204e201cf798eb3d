import { BusyCaller } from './caller-queues.ts';

const maxPerCaller = 128 * 1024 * 1024;
const maxTotal = 512 * 1024 * 1024;
/** Replies up to this size have separate memory. Otherwise a few slow readers of large replies would stop all calls. */
const shortBytes = 64 * 1024;
const shortTotal = 256 * 1024 * 1024;

/** Limits the memory of replies between their first byte from a node and their delivery to the client. */
export class ReplyMemory {
  readonly #bytesByCaller = new Map<string, number>();
  #total = 0;

  /**
   * @param delivered aborted when the client has received the reply or has disconnected
   * @returns function that counts bytes of the reply; negative bytes undo the count. It throws BusyCaller if the
   * caller, or all callers, have too many
   */
  open(caller: string, delivered: AbortSignal): (bytes: number) => void {
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      this.#total += bytes;
      const sum = (this.#bytesByCaller.get(caller) ?? 0) + bytes;
      if (sum > 0) this.#bytesByCaller.set(caller, sum);
      else this.#bytesByCaller.delete(caller);
    };
    const release = () => add(-own);
    if (!delivered.aborted) delivered.addEventListener('abort', release, { once: true });
    return (bytes) => {
      if (bytes < 0) return delivered.aborted ? undefined : add(bytes);
      if (delivered.aborted) throw new BusyCaller(499, -32005, 'the client disconnected');
      if ((this.#bytesByCaller.get(caller) ?? 0) + bytes > maxPerCaller)
        throw new BusyCaller(
          429,
          -32005,
          `replies of more than ${maxPerCaller} bytes are not delivered yet: read them first`,
        );
      const most = own + bytes > shortBytes ? maxTotal : maxTotal + shortTotal;
      if (this.#total + bytes > most)
        throw new BusyCaller(503, -32005, 'too many large replies at once: try again later');
      add(bytes);
    };
  }
}
