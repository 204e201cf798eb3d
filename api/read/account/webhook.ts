/** @source https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac } from 'node:crypto';
import { checkOutboundUrl, OutboundError, type OutboundNetwork, sendOutside } from '#runtime/outbound/outbound.ts';
import type { RowWriter } from '#sql/row-writer.ts';
import { ApiProblem } from '../../terms/errors.ts';
import type { StreamEvent } from '../deposits/stream-event.ts';

const limits = { timeoutMs: 10_000, maxBytes: 0, ignoresBody: true };

/** Delivery state of a receiver of notifications. Times are Unix ms; 0: never. */
export interface ReceiverState {
  /** Failed attempts for the next notification. */
  readonly attempts: number;
  readonly failingMs: number;
  readonly retryMs: number;
  readonly isPaused: boolean;
  readonly lastError: string;
}

export const healthyReceiver: ReceiverState = { attempts: 0, failingMs: 0, retryMs: 0, isPaused: false, lastError: '' };

export interface ReceiverRow {
  readonly attempts: number;
  readonly failing_ms: string;
  readonly retry_ms: string;
  readonly is_paused: number;
  readonly last_error: string;
}

export const parseReceiver = (row: ReceiverRow): ReceiverState => ({
  attempts: row.attempts,
  failingMs: Number(row.failing_ms),
  retryMs: Number(row.retry_ms),
  isPaused: row.is_paused === 1,
  lastError: row.last_error,
});

/** Writes columns attempts, failing_since, retry_at, is_paused, last_error. */
export function writeReceiver(
  w: RowWriter,
  { attempts, failingMs, retryMs, isPaused, lastError }: ReceiverState,
): void {
  w.uint32(attempts);
  w.uint64(failingMs);
  w.uint64(retryMs);
  w.uint8(isPaused ? 1 : 0);
  w.text(lastError);
}

/** Wait before the second attempt, ms. Doubles with each further attempt. */
const firstRetryMs = 5_000;
const maxRetryMs = 3_600_000;
/** Duration of failures after which notifications pause, ms. */
const maxFailingMs = 3 * 86_400_000;

export function failedReceiver<T extends ReceiverState>(state: T, error: string, nowMs = Date.now()): T {
  const failingMs = state.failingMs === 0 ? nowMs : state.failingMs;
  const attempts = state.attempts + 1;
  const wait = Math.min(firstRetryMs * 2 ** Math.min(attempts - 1, 20), maxRetryMs);
  const isPaused = nowMs - failingMs >= maxFailingMs;
  return { ...state, attempts, failingMs, retryMs: nowMs + wait, isPaused, lastError: error.slice(0, 200) };
}

export interface Delivery {
  readonly url: string;
  /** Id of the watch or saved query that causes the notification. */
  readonly source: { readonly watch: string } | { readonly query: string };
  /** `whsec_` and the key in base64. */
  readonly secret: string;
}

/**
 * Sends an event to a receiver. A repeated delivery has the same webhook-id.
 * @throws OutboundError if the receiver does not accept the event
 */
export async function deliver(
  { url, source, secret }: Delivery,
  event: StreamEvent,
  network: OutboundNetwork,
): Promise<void> {
  const now = Date.now();
  const body = JSON.stringify({
    type: event.name,
    timestamp: new Date(now).toISOString(),
    ...source,
    eventId: event.id,
    data: event.data,
  });
  const id = `${Object.values(source).join('')}_${event.id}`;
  const seconds = Math.floor(now / 1_000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${sign(secret, `${id}.${seconds}.${body}`)}`,
  };
  await sendOutside(checkOutboundUrl(url, network.trustedHosts), { method: 'POST', headers, body }, limits, network);
}

const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(text)
    .digest('base64');

/** @throws ApiProblem bad_query if notifications cannot be sent to the URL */
export function assertWebhookUrl(url: string, { trustedHosts }: OutboundNetwork): void {
  try {
    checkOutboundUrl(url, trustedHosts);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ApiProblem('bad_query', `url is not accepted: ${error.message}`);
  }
}
