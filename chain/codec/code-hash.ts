import { AuxdataStyle, splitAuxdata } from '@ethereum-sourcify/bytecode-utils';
import { keccak256Hex } from '../verify/keccak.ts';

/**
 * Hashes code without the metadata that the Solidity compiler appends, which depends on comments and file names.
 * Contracts of the same source then have equal hashes, unless their immutables differ.
 * @param code 0x hex @returns 32 bytes, 0x hex
 * @source Solidity docs, "Contract Metadata", encoding of the metadata hash in the bytecode
 */
export function hashWithoutMetadata(code: string): string {
  const [executed] = splitAuxdata(code, AuxdataStyle.SOLIDITY);
  return keccak256Hex(executed);
}
