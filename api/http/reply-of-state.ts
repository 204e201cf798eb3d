/** Replies and pages that are given again while the chain is the same. */

import type { RenderedReply } from '../cache/reply-cache.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * The reply that was made already in the present state of the chain, or a new one; of what `make` gives only text that is
 * rendered is kept.
 * @param key everything that it depends on beside the state
 */
export async function replyOfState<Other extends object>(
  { replies, snapshots }: Pick<ApiDeps, 'replies' | 'snapshots'>,
  key: string,
  maxAgeSeconds: number,
  make: () => Promise<RenderedReply | Other>,
): Promise<RenderedReply | Other> {
  const before = snapshots.lastVersion;
  const known = before === undefined ? undefined : replies.get(key, { version: before }, 1000 * maxAgeSeconds);
  if (known && (await snapshots.isStill(before!))) return known;
  const reply = await make();
  // a state that came meanwhile: by which of both this was made is not known
  const isOfBefore = before !== undefined && snapshots.lastVersion === before;
  if (isOfBefore && isRendered(reply)) replies.set(key, { version: before }, reply);
  return reply;
}

const isRendered = (reply: object): reply is RenderedReply => 'etag' in reply;
