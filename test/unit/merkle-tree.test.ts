import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import test from 'ava';
import fc from 'fast-check';
import { MerkleTree } from '#api/read/tokens/merkle-tree.ts';

const entries = fc.uniqueArray(
  fc.record({
    address: fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    balance: fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }).map(String),
  }),
  { minLength: 1, maxLength: 40, selector: ({ address }) => address },
);

test('root, proofs and dump equal those of OpenZeppelin, which also loads the dump', async (t) => {
  await fc.assert(
    fc.asyncProperty(entries, async (holders) => {
      const own = await MerkleTree.of(holders);
      const values = holders.map(({ address, balance }) => [address, balance]);
      const other = StandardMerkleTree.of(values, ['address', 'uint256']);
      t.is(own.root, other.root);
      t.deepEqual(JSON.parse(JSON.stringify(own.dump())), JSON.parse(JSON.stringify(other.dump())));
      const loaded = StandardMerkleTree.load(own.dump() as never);
      t.is(loaded.root, own.root);
      for (const [i, { address, balance }] of holders.entries()) {
        const proved = own.prove(address)!;
        t.deepEqual(proved, { balance, proof: other.getProof(i) });
        t.true(StandardMerkleTree.verify(own.root, ['address', 'uint256'], [address, balance], proved.proof));
      }
      t.is(own.prove(`0x${'00'.repeat(20)}`), undefined);
    }),
    { numRuns: 30 },
  );
});
