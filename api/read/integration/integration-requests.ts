/** Requests of partners who want to integrate the chain. @source docs/registry.md#integration-requests */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '#sql/client.ts';
import { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';
import { SenderLimit } from './sender-limit.ts';

const text = (maxLength: number) =>
  z
    .string('must be given as a string')
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must be at most ${maxLength} characters`);

export const IntegrationRequest = z
  .strictObject({
    organization: text(200).meta({ description: 'Name of the organization that sends the request' }),
    contactEmail: z
      .email({ error: 'must be an e-mail address' })
      .max(254)
      .meta({ description: 'E-mail address to which the operator replies' }),
    website: z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).max(2_000),
    type: z.enum(['exchange', 'wallet', 'custodian', 'data'], 'must be exchange, wallet, custodian or data'),
    chainUse: text(2_000).meta({ description: 'How the organization plans to use the chain' }),
    message: text(5_000),
    expectedVolume: text(200)
      .optional()
      .meta({ description: 'Volume that the organization expects, in words or figures' }),
  })
  .meta({ id: 'IntegrationRequest' });

export type IntegrationRequest = z.infer<typeof IntegrationRequest>;

interface StoredRequest {
  readonly id: string;
  readonly receivedMs: number;
}

interface Sender {
  readonly address: string;
  /** Counts bytes to store against the sender's limit. @throws ApiProblem rate_limited */
  readonly keep: (bytes: number) => Promise<void>;
}

const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');

export class IntegrationRequests {
  readonly #limit: SenderLimit;
  readonly #pending = new Map<string, Promise<unknown>>();
  readonly database: Database;

  constructor(database: Database, perHour: number) {
    this.database = database;
    this.#limit = new SenderLimit(database, perHour);
  }

  /**
   * Stores a partner's request. A repeated Idempotency-Key with the same e-mail address returns the stored request and
   * does not count against the limits.
   * @throws ApiProblem idempotency_conflict if the key was used for another request, rate_limited
   */
  async receive(request: IntegrationRequest, sender: Sender, key: string | undefined): Promise<StoredRequest> {
    if (key === undefined) return this.#store(randomBytes(16).toString('hex'), request, sender, '');
    // two partners may choose the same key
    const hash = sha256(`${key} ${request.contactEmail}`);
    const before = this.#pending.get(hash) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(() => this.#receiveOnce(request, sender, hash));
    this.#pending.set(hash, mine);
    try {
      return await mine;
    } finally {
      if (this.#pending.get(hash) === mine) this.#pending.delete(hash);
    }
  }

  async #receiveOnce(request: IntegrationRequest, sender: Sender, keyHash: string): Promise<StoredRequest> {
    const id = sha256(`integration request ${keyHash}`).slice(0, 32);
    const [known] = await this.database.read('integration_request', { id });
    if (!known) return this.#store(id, request, sender, keyHash);
    if (known.body_sha256 !== hashBody(request))
      throw new ApiProblem('idempotency_conflict', 'this Idempotency-Key was already used for a different request');
    return { id, receivedMs: Number(known.received_ms) };
  }

  async #store(
    id: string,
    request: IntegrationRequest,
    { address, keep }: Sender,
    keyHash: string,
  ): Promise<StoredRequest> {
    await keep(Buffer.byteLength(JSON.stringify(request)));
    await this.#limit.take(address);
    const receivedMs = Date.now();
    const w = new RowWriter(1_024);
    for (const value of [id, keyHash, hashBody(request), request.organization, request.contactEmail, request.website])
      w.text(value);
    for (const value of [request.type, request.chainUse, request.message, request.expectedVolume ?? '', address])
      w.text(value);
    w.uint64(receivedMs);
    await this.database.insertRowBinary('integration_requests', w.view());
    return { id, receivedMs };
  }
}

/** Hashes the fields in schema order: their order in the request does not matter. */
function hashBody(request: IntegrationRequest): string {
  return sha256(
    JSON.stringify(
      Object.keys(IntegrationRequest.shape).map((name) => request[name as keyof IntegrationRequest] ?? null),
    ),
  );
}
