import { Interface, type InterfaceAbi } from 'ethers';

/** Parses an ABI. Leaves out entries that are invalid: an ABI comes from a stranger. */
export function parseAbi(abi: InterfaceAbi): Interface {
  try {
    return new Interface(abi);
  } catch {
    return new Interface([]);
  }
}
