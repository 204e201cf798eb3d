/**
 * Merkle tree of addresses and amounts for OpenZeppelin contracts. A leaf is the double Keccak-256 of
 * abi.encode(address, uint256). Leaves, and the two hashes of a pair, are sorted.
 * @source https://github.com/OpenZeppelin/merkle-tree, standard-v1
 */
import { setImmediate } from 'node:timers/promises';
import { keccak256 } from '#chain/verify/keccak.ts';
import { known } from '#runtime/known.ts';

export interface Entry {
  readonly address: string;
  /** Decimal. */
  readonly balance: string;
}

export const leafEncoding = ['address', 'uint256'] as const;

/** Other requests are served after this number of hashes. */
const hashesAtOnce = 2_000;

export class MerkleTree {
  /** Root first. The children of node i are 2 i + 1 and 2 i + 2. */
  readonly #nodes: readonly Buffer[];
  /** Index in `#nodes` by entry. */
  readonly #places: readonly number[];
  readonly entries: readonly Entry[];

  private constructor(nodes: readonly Buffer[], places: readonly number[], entries: readonly Entry[]) {
    this.#nodes = nodes;
    this.#places = places;
    this.entries = entries;
  }

  /** @param entries at least one */
  static async of(entries: readonly Entry[]): Promise<MerkleTree> {
    const turn = createTurns();
    const leaves: { hash: Buffer; entry: number }[] = [];
    for (const [entry, value] of entries.entries()) {
      await turn();
      leaves.push({ hash: computeHash(computeHash(encode(value))), entry });
    }
    leaves.sort((a, b) => Buffer.compare(a.hash, b.hash));
    const nodes: Buffer[] = new Array(2 * leaves.length - 1);
    const places: number[] = new Array(leaves.length);
    for (const [i, { hash, entry }] of leaves.entries()) {
      nodes[nodes.length - 1 - i] = hash;
      places[entry] = nodes.length - 1 - i;
    }
    for (let i = leaves.length - 2; i >= 0; i--) {
      await turn();
      nodes[i] = computeHash(Buffer.concat([at(nodes, 2 * i + 1), at(nodes, 2 * i + 2)].sort(Buffer.compare)));
    }
    return new MerkleTree(nodes, places, entries);
  }

  get root(): string {
    return hex(at(this.#nodes, 0));
  }

  /** Returns the hashes that prove an entry, leaf first; undefined if the address is missing. */
  prove(address: string): { readonly balance: string; readonly proof: string[] } | undefined {
    const index = this.entries.findIndex((entry) => entry.address === address);
    const entry = this.entries[index];
    if (!entry) return undefined;
    const proof: string[] = [];
    for (let node = this.#places[index] ?? 0; node > 0; node = Math.floor((node - 1) / 2))
      proof.push(hex(at(this.#nodes, node % 2 === 1 ? node + 1 : node - 1)));
    return { balance: entry.balance, proof };
  }

  /** Returns the format of StandardMerkleTree.load(). */
  dump() {
    return {
      format: 'standard-v1',
      leafEncoding,
      tree: this.#nodes.map(hex),
      values: this.entries.map(({ address, balance }, i) => ({
        value: [address, balance],
        treeIndex: this.#places[i],
      })),
    };
  }
}

const at = (nodes: readonly Buffer[], index: number) => known(nodes[index], 'a node of the tree');
const computeHash = (bytes: Uint8Array) => Buffer.from(keccak256(bytes));
const hex = (bytes: Buffer) => `0x${bytes.toString('hex')}`;

function encode({ address, balance }: Entry): Buffer {
  const amount = BigInt(balance).toString(16).padStart(64, '0');
  return Buffer.from(address.slice(2).padStart(64, '0') + amount, 'hex');
}

function createTurns(): () => Promise<void> {
  let hashes = 0;
  return async () => {
    if (++hashes % hashesAtOnce === 0) await setImmediate();
  };
}
