import { AuxdataStyle, splitAuxdata } from '@ethereum-sourcify/bytecode-utils';
import { keccak256Hex } from '../verify/keccak.ts';

/**
 * Hashes code without the metadata that the Solidity compiler appends, which depends on comments and file names. So
 * contracts of the same source usually have equal hashes. Hashes differ if immutables differ, if the code contains
 * metadata of another contract (factories), and for libraries, which contain their own address.
 * @param code 0x hex @returns 32 bytes, 0x hex
 * @source Solidity docs, "Contract Metadata", encoding of the metadata hash in the bytecode
 */
export function hashWithoutMetadata(code: string): string {
  const [executed] = splitAuxdata(code, AuxdataStyle.SOLIDITY);
  return keccak256Hex(executed);
}
