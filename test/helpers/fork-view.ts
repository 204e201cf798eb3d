/** An endpoint on another branch. The branch is consistent, because every occurrence of a block hash is replaced. */
import { keccak256 } from 'ethers';
import { type FaultyProxy, type Json, startFaultyProxy } from './faulty-proxy.ts';

export interface ForkView extends FaultyProxy {
  /** First block of the other branch; undefined: the node's chain. */
  forkFrom(height: number | undefined): void;
}

export async function startForkView(options: Parameters<typeof startFaultyProxy>[0]): Promise<ForkView> {
  let from: number | undefined;
  const [theirs, ours] = [new Map<string, string>(), new Map<string, string>()];
  const other = (hash: string) => {
    const known = theirs.get(hash) ?? keccak256(hash);
    theirs.set(hash, known);
    ours.set(known, hash);
    return known;
  };
  /** A replaced block hash becomes unknown. */
  const asNode = (value: Json) => {
    if (typeof value !== 'string') return value;
    return ours.get(value) ?? (theirs.has(value) ? `0x${'0'.repeat(64)}` : value);
  };
  const proxy = await startFaultyProxy({
    ...options,
    rewrite: (params) => (from === undefined || !params ? params : params.map(asNode)),
    view: (reply) => {
      if (from === undefined || !reply?.result) return reply;
      const isBeyond = (height: unknown) => typeof height === 'string' && Number(height) >= from!;
      return JSON.parse(JSON.stringify(reply), function (this: Json, key, value: Json) {
        if (key === 'hash' && isBeyond(this.number)) return other(value);
        if (key === 'blockHash' && isBeyond(this.blockNumber)) return other(value);
        if (key === 'parentHash' && isBeyond(this.number) && Number(this.number) > from!) return other(value);
        return value;
      });
    },
  });
  return {
    ...proxy,
    forkFrom: (height) => {
      from = height;
      theirs.clear();
      ours.clear();
    },
  };
}
