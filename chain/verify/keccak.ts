/** Computes Keccak-256 in WebAssembly, about five times as fast as in JavaScript. */
import { createKeccak } from 'hash-wasm';

const hasher = await createKeccak(256);

export function keccak256(bytes: Uint8Array): Uint8Array {
  return hasher.init().update(bytes).digest('binary');
}

export function keccak256Hex(hex: string): string {
  return `0x${hasher
    .init()
    .update(Buffer.from(hex.slice(2), 'hex'))
    .digest('hex')}`;
}
