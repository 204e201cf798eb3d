/** Checks whether lists of a block and their hashes are both empty or both not. Full checks would cost time. */
import { zeroHash } from '../codec/hex.ts';
import type { ChainViolation } from '../errors.ts';
import type { WireBlock } from '../rpc/wire-types.ts';

/** Root of an empty trie: Keccak-256 of the RLP of an empty string. @source yellow paper, appendix D */
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
/** Keccak-256 of the RLP of an empty list. @source yellow paper 4.4.3 */
const emptyUncles = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

/**
 * @param hasOwnRules result of hasOwnRules()
 * @throws the error of `fail` if a list is empty and its hash is not, or the reverse
 */
export function checkLists(
  block: WireBlock,
  hasOwnRules: boolean,
  fail: (violation: ChainViolation, detail: string) => never,
): void {
  const { transactions, uncles, withdrawals } = block;
  // the OP family stores the storage root of a contract in withdrawalsRoot
  const withdrawalsRoot = hasOwnRules ? undefined : block.withdrawalsRoot;
  const lists = [
    ['transactions_root', 'transactions', transactions, block.transactionsRoot, emptyRoot],
    ['withdrawals_root', 'withdrawals', withdrawals, withdrawalsRoot, emptyRoot],
    ['bad_field', 'uncles', uncles, block.sha3Uncles, emptyUncles],
  ] as const;
  for (const [violation, name, list, hash, empty] of lists) {
    if (!list || !hash || hash === zeroHash) continue; // some chains compute no roots
    if ((list.length === 0) !== (hash.toLowerCase() === empty))
      fail(violation, `the block has ${list.length} ${name}, which contradicts their hash ${hash}`);
  }
}
