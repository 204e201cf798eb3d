/** @source Ethereum yellow paper 4.4.3, M3:2048 */
import type { WireReceipt } from '../rpc/wire-types.ts';
import { keccak256 } from './keccak.ts';

const positions = new Map<string, readonly [number, number, number]>();
const maxPositions = 100_000;

function getPositions(hex: string): readonly [number, number, number] {
  const known = positions.get(hex);
  if (known) return known;
  const hash = keccak256(Buffer.from(hex.slice(2), 'hex'));
  const words = new DataView(hash.buffer, hash.byteOffset);
  const bit = (i: number) => words.getUint16(i) & 2047;
  const fresh = [bit(0), bit(2), bit(4)] as const;
  if (positions.size >= maxPositions) positions.clear();
  positions.set(hex, fresh);
  return fresh;
}

/** Computes the bloom filter of the logs. @returns 0x and 512 lower-case digits */
export function computeLogsBloom(receipts: readonly WireReceipt[]): string {
  const bytes = new ArrayBuffer(256);
  const bloom = new DataView(bytes);
  const add = (hex: string) => {
    for (const position of getPositions(hex)) {
      const at = 255 - (position >> 3);
      bloom.setUint8(at, bloom.getUint8(at) | (1 << (position & 7)));
    }
  };
  for (const receipt of receipts) {
    for (const log of receipt.logs) {
      add(log.address);
      for (const topic of log.topics) add(topic);
    }
  }
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
