/** Who may produce blocks and whose turn is when, as the node says by a method of its own. */
import { z } from 'zod';
import { isAddress } from '#chain/codec/hex.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';

/** @source docs/registry.md: the reply that VALIDATORS_METHOD is expected to give */
const Reply = z.object({
  validators: z
    .array(z.object({ address: z.string().refine(isAddress).toLowerCase(), name: z.string().max(200).optional() }))
    .max(10_000),
  /** round-robin: block n is the turn of validator n modulo their number. */
  schedule: z.literal('round-robin').nullable().default(null),
});

export interface ValidatorSet {
  /** In the order of their turns. */
  readonly validators: readonly { readonly address: string; readonly name?: string | undefined }[];
  readonly schedule: 'round-robin' | null;
  /** Unix milliseconds. */
  readonly readMs: number;
}

type ValidatorAnswer = ValidatorSet | { readonly fault: string };

/** An answer is kept for so long, ms. */
const keptMs = 3_000;

export class ValidatorReader {
  #last: { at: number; answer: Promise<ValidatorAnswer> } | undefined;
  readonly client: RpcClient;
  /** Undefined: the node is not asked. */
  readonly method: string | undefined;

  constructor(client: RpcClient, method: string | undefined) {
    this.client = client;
    this.method = method;
  }

  /** @returns undefined where no method is configured */
  async read(): Promise<ValidatorAnswer | undefined> {
    if (this.method === undefined) return undefined;
    if (!this.#last || performance.now() - this.#last.at > keptMs)
      this.#last = { at: performance.now(), answer: this.#ask(this.method) };
    return this.#last.answer;
  }

  async #ask(method: string): Promise<ValidatorAnswer> {
    try {
      const parsed = Reply.safeParse(await this.client.call(method, [], { retries: 1 }));
      if (!parsed.success) return { fault: `${method} gave something else than validators` };
      const { validators, schedule } = parsed.data;
      const isDistinct = new Set(validators.map(({ address }) => address)).size === validators.length;
      return { validators, schedule: isDistinct ? schedule : null, readMs: Date.now() };
    } catch {
      return { fault: `the node did not answer ${method}` };
    }
  }
}
