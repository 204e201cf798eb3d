/** Replies and pages that are given again while the chain is the same. */

import type { RenderedReply, ReplyCache } from '../cache/reply-cache.ts';
import type { SnapshotDeps } from '../read/reader-deps.ts';

export interface KeptReplyDeps extends SnapshotDeps {
  readonly replies: ReplyCache;
}

/**
 * The reply that was made already in the present state of the chain, or a new one; of what `make` gives only text that is
 * rendered is kept.
 * @param key everything that it depends on beside the state
 */
export async function replyOfState<Other extends object>(
  { replies, snapshots }: KeptReplyDeps,
  key: string,
  maxAgeSeconds: number,
  make: () => Promise<RenderedReply | Other>,
): Promise<RenderedReply | Other> {
  const before = snapshots.lastVersion;
  if (before === undefined) return make();
  const kept = replies.get(key, { version: before }, 1000 * maxAgeSeconds);
  if (kept && (await snapshots.isStill(before))) return kept;
  const reply = await make();
  // a state that came meanwhile: by which of both this was made is not known
  if (snapshots.lastVersion === before && isRendered(reply)) replies.set(key, { version: before }, reply);
  return reply;
}

const isRendered = (reply: object): reply is RenderedReply => 'etag' in reply;
