/** Reads the validators by a chain-specific RPC method. */
import { z } from 'zod';
import { isAddress } from '#chain/codec/hex.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';

/** @source docs/registry.md */
const Reply = z.object({
  validators: z
    .array(z.object({ address: z.string().refine(isAddress).toLowerCase(), name: z.string().max(200).optional() }))
    .max(10_000),
  /** round-robin: the validator at index (n modulo number of validators) makes block n. */
  schedule: z.literal('round-robin').nullable().default(null),
});

export interface ValidatorSet {
  readonly validators: readonly { readonly address: string; readonly name?: string | undefined }[];
  readonly schedule: 'round-robin' | null;
  readonly readMs: number;
}

type ValidatorAnswer = ValidatorSet | { readonly fault: string };

const cacheMs = 3_000;

export class ValidatorReader {
  #last: { at: number; answer: Promise<ValidatorAnswer> } | undefined;
  /** Newest list, and the first block to which it certainly applies. */
  #list: { readonly key: string; readonly turnsFrom: number } | undefined;
  readonly client: RpcClient;
  readonly method: string | undefined;

  constructor(client: RpcClient, method: string | undefined) {
    this.client = client;
    this.method = method;
  }

  async read(): Promise<ValidatorAnswer | undefined> {
    if (this.method === undefined) return undefined;
    if (!this.#last || performance.now() - this.#last.at > cacheMs)
      this.#last = { at: performance.now(), answer: this.#ask(this.method) };
    return this.#last.answer;
  }

  /**
   * Returns the first block to which a validator list applies: 0, or the block after this process saw the list change.
   * The node returns only its current list, which would show false missed turns in earlier blocks.
   * @param head newest block of the nodes
   */
  getTurnsStart({ validators }: Pick<ValidatorSet, 'validators'>, head: number): number {
    const key = validators.map(({ address }) => address).join();
    if (this.#list?.key !== key) this.#list = { key, turnsFrom: this.#list ? head + 1 : 0 };
    return this.#list.turnsFrom;
  }

  async #ask(method: string): Promise<ValidatorAnswer> {
    try {
      const parsed = Reply.safeParse(await this.client.call(method, [], { retries: 1 }));
      if (!parsed.success) return { fault: `${method} returned an invalid reply: expected a list of validators` };
      const { validators, schedule } = parsed.data;
      const isDistinct = new Set(validators.map(({ address }) => address)).size === validators.length;
      return { validators, schedule: isDistinct ? schedule : null, readMs: Date.now() };
    } catch {
      return { fault: `the node did not answer ${method}` };
    }
  }
}
