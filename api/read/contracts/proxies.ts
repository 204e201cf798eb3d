/** Detects proxies: contracts that run the code of another contract. */
import { AbiCoder, id } from 'ethers';
import { isAddress } from '#chain/codec/hex.ts';
import { askContract } from '#chain/rpc/ask-contract.ts';
import { askState } from '#chain/rpc/ask-state.ts';
import type { RpcClient } from '#chain/rpc/rpc-client.ts';
import { stateProblem } from '../accounts/account-reader.ts';

type ProxyKind = 'EIP-1167' | 'EIP-1967' | 'EIP-1967 beacon' | 'EIP-1822' | 'EIP-2535' | 'EIP-7702' | 'OpenZeppelin';

export interface ProxyTarget {
  readonly kind: ProxyKind;
  /** Several only for a diamond (EIP-2535). */
  readonly implementations: readonly string[];
  /** Contract that returns the implementation. */
  readonly beacon?: string;
}

/** @source EIP-1167, and the PUSH0 variant of Solady */
const minimalProxies = [
  /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/,
  /^0x365f5f375f5f365f73([0-9a-f]{40})5af43d5f5f3e5f3d91602a57fd5bf3/,
  /^0x3d3d3d3d363d3d37363d73([0-9a-f]{40})5af43d3d93803e602a57fd5bf3/,
];
/** @source EIP-7702 */
const delegation = /^0xef0100([0-9a-f]{40})$/;

/** Storage slots of implementation or beacon addresses. @source EIP-1967, EIP-1822, OpenZeppelin SDK before EIP-1967 */
const slots = [
  ['EIP-1967', '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'],
  ['EIP-1967 beacon', '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'],
  ['EIP-1822', id('PROXIABLE')],
  ['OpenZeppelin', id('org.zeppelinos.proxy.implementation')],
] as const;

const selector = (signature: string) => id(signature).slice(0, 10);
const maxFacets = 100;

/**
 * Reads storage at the newest block. Returns undefined if the contract is no proxy.
 * @param code 0x hex
 * @throws ApiProblem node_unavailable, state_unavailable
 */
export async function detectProxy(
  client: RpcClient,
  address: string,
  code: string,
  signal?: AbortSignal,
): Promise<ProxyTarget | undefined> {
  const [, delegate] = delegation.exec(code) ?? [];
  if (delegate) return { kind: 'EIP-7702', implementations: [`0x${delegate}`] };
  for (const pattern of minimalProxies) {
    const [, implementation] = pattern.exec(code) ?? [];
    if (implementation) return { kind: 'EIP-1167', implementations: [`0x${implementation}`] };
  }
  if (!/f4/.test(code)) return undefined; // no DELEGATECALL
  const calls = (tag: string) =>
    slots.map(([, slot]) => ({ method: 'eth_getStorageAt', params: [address, slot, tag] }));
  const values = await askState(client, calls, 'latest', { retries: 2, signal }).catch((error: unknown) => {
    throw stateProblem(error, `the proxy slots of ${address}`);
  });
  for (const [i, [kind]] of slots.entries()) {
    const target = parseSlot(values[i]);
    if (!target) continue;
    if (kind !== 'EIP-1967 beacon') return { kind, implementations: [target] };
    const implementation = await askImplementation(client, target, signal);
    if (implementation) return { kind, implementations: [implementation], beacon: target };
  }
  const facets = await askFacets(client, address, signal);
  return facets.length > 0 ? { kind: 'EIP-2535', implementations: facets } : undefined;
}

function parseSlot(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^0x0{24}[0-9a-f]{40}$/i.test(value)) return undefined;
  return /^0x0+$/.test(value) ? undefined : `0x${value.slice(26).toLowerCase()}`;
}

async function askImplementation(client: RpcClient, to: string, signal: AbortSignal | undefined) {
  const question = { to, data: selector('implementation()'), block: 'latest' };
  const reply = await askContract(client, question, { retries: 1, signal });
  return reply === null ? undefined : parseSlot(reply);
}

/** Returns an empty array for other contracts. @source EIP-2535, IDiamondLoupe */
async function askFacets(client: RpcClient, to: string, signal: AbortSignal | undefined): Promise<string[]> {
  const question = { to, data: selector('facetAddresses()'), block: 'latest' };
  const reply = await askContract(client, question, { retries: 1, signal });
  if (reply === null || reply.length > 2 + 64 * (maxFacets + 2)) return [];
  try {
    const [facets] = AbiCoder.defaultAbiCoder().decode(['address[]'], reply) as unknown as [string[]];
    return [...new Set(facets.filter(isAddress).map((facet) => facet.toLowerCase()))];
  } catch {
    return [];
  }
}
