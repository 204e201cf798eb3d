import { isRendered, type RenderedReply, type ReplyCache } from '../cache/reply-cache.ts';
import type { SnapshotDeps } from '../read/reader-deps.ts';
import { ApiProblem } from '../terms/errors.ts';

export interface ReplyCacheDeps extends SnapshotDeps {
  readonly replies: ReplyCache;
}

/**
 * Returns whether an error concerns one caller. Others with the same request must not fail when it is over its limit.
 */
const isPersonal = (error: unknown) => error instanceof ApiProblem && error.code === 'rate_limited';

/**
 * Returns the cached reply for the current chain state, or one from `make`.
 * @param key contains all inputs of the reply except the chain state
 */
export async function readCachedReply<Other extends object>(
  { replies, snapshots }: ReplyCacheDeps,
  key: string,
  maxAgeSeconds: number,
  make: () => Promise<RenderedReply | Other>,
): Promise<RenderedReply | Other> {
  const before = snapshots.lastVersion;
  if (before === undefined) return make();
  const cached = replies.get(key, { version: before }, 1000 * maxAgeSeconds);
  if (cached && (await snapshots.isStill(before))) return cached;
  const reply = await replies.shared(key, { version: snapshots.lastVersion ?? before }, make, isPersonal);
  // if the state changed during make(), the reply may belong to either state
  if (snapshots.lastVersion === before && isRendered(reply)) replies.set(key, { version: before }, reply);
  return reply;
}
