/** Coin balances of all accounts after a block, and the blocks after which they are stored. */
import type { ExecutionContext } from 'ava';
import type { ModelBlock } from './chain-model.ts';
import type { IndexedChain } from './indexed-chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Reply = any;

export const snapshotPath = '/api/v1/accounts/snapshot';

/** Reads a balance from the node, wei. */
export const readBalance = async ({ rpc }: IndexedChain['chain'], account: string, block: number): Promise<bigint> =>
  BigInt(await rpc.call<string>('eth_getBalance', [account, `0x${block.toString(16)}`]));

/** Compares the balances of all accounts after finalized blocks with those of the node. */
export async function compareSnapshots(
  t: ExecutionContext,
  { api, chain }: IndexedChain,
  blocks: readonly number[],
  accounts: readonly string[],
): Promise<void> {
  for (const block of blocks) {
    const items: Reply[] = [];
    let page: Reply;
    do {
      const more = page ? `&cursor=${page.nextCursor}` : '';
      const reply = await api.get(`${snapshotPath}?limit=200&block=${block}${more}`);
      t.is(reply.status, 200, JSON.stringify(reply.body));
      page = reply.body;
      items.push(...page.items);
    } while (page.hasMore);
    t.like(page, { accounts: items.length, confirmedByNode: true, block: { number: block, finalized: true } });
    t.is(
      BigInt(page.held),
      items.reduce((sum, { balance }) => sum + BigInt(balance), 0n),
    );
    const found = new Map(items.map(({ address, balance }) => [address, BigInt(balance)]));
    for (const account of accounts) t.is(found.get(account) ?? 0n, await readBalance(chain, account, block), account);
    const sorted = items.toSorted((a, b) => (BigInt(b.balance) > BigInt(a.balance) ? 1 : -1));
    t.deepEqual(
      items.map(({ balance }) => balance),
      sorted.map(({ balance }) => balance),
    );
  }
}

/**
 * Returns the last blocks of the groups of `blocks` blocks in which another `transactions` transactions are complete.
 */
export function checkpointsByHand(
  chain: readonly ModelBlock[],
  finalized: number,
  { transactions, blocks }: { readonly transactions: number; readonly blocks: number },
): number[] {
  let count = 0;
  const found = new Set<number>();
  for (const { number, txs } of chain.slice(0, finalized + 1)) {
    const before = count;
    count += txs.length;
    const end = number - (number % blocks) + blocks - 1;
    if (Math.floor(count / transactions) > Math.floor(before / transactions)) found.add(end);
  }
  return [...found].filter((block) => block <= finalized);
}
