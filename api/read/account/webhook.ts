/** Sends notifications. @source https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { createHmac } from 'node:crypto';
import { checkOutboundUrl, type OutboundNetwork, sendOutside } from '#runtime/outbound/outbound.ts';
import type { StreamEvent } from '../deposits/stream-event.ts';

const limits = { timeoutMs: 10_000, maxBytes: 65_536 };

export interface Delivery {
  readonly url: string;
  readonly watchId: string;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
}

/**
 * Sends an event to the receiver of a watch. A repeated delivery has the same webhook-id.
 * @throws OutboundError if the receiver does not accept it
 */
export async function deliver(
  { url, watchId, secret }: Delivery,
  event: StreamEvent,
  network: OutboundNetwork,
): Promise<void> {
  const now = Date.now();
  const body = JSON.stringify({
    type: event.name,
    timestamp: new Date(now).toISOString(),
    watch: watchId,
    eventId: event.id,
    data: event.data,
  });
  const id = `${watchId}_${event.id}`;
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
