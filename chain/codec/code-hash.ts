import { AuxdataStyle, splitAuxdata } from '@ethereum-sourcify/bytecode-utils';
import { keccak256Hex } from '../verify/keccak.ts';

/**
 * Hashes contract code without the metadata that the Solidity compiler appends. Metadata depends on comments and file
 * names, so contracts of the same source usually get equal hashes. Exceptions: different immutables, factories (their
 * code contains metadata of other contracts), libraries (their code contains their address).
 * @param code 0x hex @returns 32 bytes, 0x hex
 * @source Solidity docs, "Contract Metadata", encoding of the metadata hash in the bytecode
 */
export function hashWithoutMetadata(code: string): string {
  const [executed] = splitAuxdata(code, AuxdataStyle.SOLIDITY);
  return keccak256Hex(executed);
}
