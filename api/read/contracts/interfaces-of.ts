import {
  ErrorFragment,
  EventFragment,
  type Fragment,
  FunctionFragment,
  type Interface,
  type InterfaceAbi,
} from 'ethers';
import { keccak256Hex } from '#chain/verify/keccak.ts';
import { readCodes } from './code.ts';
import { EntryBudget, maxEntries, parseAbi } from './parse-abi.ts';
import { detectProxy, type ProxyTarget } from './proxies.ts';
import type { SourceReadDeps } from './read-source.ts';
import type { ContractInterface } from './verified-contracts.ts';

/** Maximum number of contracts per call. */
export const maxInterfaces = 40;

/** Maximum number of their implementations per call. */
const maxImplementations = 100;

/** Timeout, ms. Without an ABI, pages show raw data. */
const maxWaitMs = 1_500;

interface ProxyInterface {
  /** ABI without the implementations. */
  readonly own: Interface;
  readonly changedBy: ChangeReporters;
}

/**
 * Contracts that emit upgrade events: the proxy and its beacon. Empty if the implementation can't change; undefined if
 * no event reports changes.
 */
type ChangeReporters = readonly string[] | undefined;

interface KnownInterfaces {
  /** ABIs for the newest block. */
  readonly of: ReadonlyMap<string, Interface>;
  /** Contracts with implementations. */
  readonly proxies: ReadonlyMap<string, ProxyInterface>;
  /** False if a look-up failed or timed out, or if there are too many contracts or ABI entries. */
  readonly isComplete: boolean;
}

/**
 * Returns verified ABIs by address. Each merges the ABI of the contract (or of a contract with the same source) and the
 * ABIs of its implementations.
 */
export async function readInterfaces(deps: SourceReadDeps, addresses: readonly string[]): Promise<KnownInterfaces> {
  const all = new Set(addresses);
  const wanted = [...all].slice(0, maxInterfaces);
  const own = await deps.verified.interfaces(wanted);
  const found = new Map<string, Interface>();
  const proxies = new Map<string, ProxyInterface>();
  let failures = 0;
  const budget = new EntryBudget();
  const left = { implementations: maxImplementations };
  const signal = AbortSignal.timeout(maxWaitMs);
  // one request for all codes, because anyone can send a transaction with many contracts
  const codes = readCodes(deps.client, wanted, signal);
  const lookUps = wanted.map(async (address, i) => {
    const contract = { address, code: codes.then((all) => all[i]), stored: own.get(address) };
    const abis = await listAbis(deps, contract, left, signal).catch(() => undefined);
    const parts = abis ? [...abis.own, ...abis.implemented] : [];
    if (!abis || !budget.admits(parts)) return void failures++;
    const abi = mergeAbis(parts);
    if (abi.fragments.length > 0) found.set(address, abi);
    if (abis.implemented.length > 0) proxies.set(address, { own: mergeAbis(abis.own), changedBy: abis.changedBy });
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), maxWaitMs);
  });
  const end = await Promise.race([Promise.all(lookUps), late]);
  clearTimeout(timer);
  const isComplete = end !== 'late' && failures === 0 && all.size <= maxInterfaces;
  return { of: new Map(found), proxies: new Map(proxies), isComplete };
}

interface ContractAbis {
  readonly own: readonly Abi[];
  readonly implemented: readonly Abi[];
  readonly changedBy: ChangeReporters;
}

interface Contract {
  readonly address: string;
  readonly code: Promise<string | undefined>;
  readonly stored: ContractInterface | undefined;
}

async function listAbis(
  deps: SourceReadDeps,
  { address, stored, ...contract }: Contract,
  left: { implementations: number },
  signal: AbortSignal,
): Promise<ContractAbis> {
  const code = await contract.code;
  if (code === undefined || code === '0x') return { own: [], implemented: [], changedBy: [] };
  const own = stored?.codeHash === keccak256Hex(code) ? stored : undefined;
  const [proxy, similar] = await Promise.all([
    detectProxy(deps.client, address, code, signal),
    own ? undefined : deps.verified.findSimilar(address, code),
  ]);
  left.implementations -= proxy?.implementations.length ?? 0;
  if (left.implementations < 0) throw new Error('there are too many implementations');
  const [found, implemented] = await Promise.all([
    similar && deps.verified.interfaces([similar.address]),
    readVerifiedAbis(deps, proxy?.implementations ?? [], signal),
  ]);
  const changedBy = proxy ? findReporters(address, proxy) : [];
  return { own: [own?.abi ?? [], ...[...(found?.values() ?? [])].map(({ abi }) => abi)], implemented, changedBy };
}

function findReporters(address: string, { kind, beacon }: ProxyTarget): ChangeReporters {
  if (kind === 'EIP-1167') return [];
  // delegations change by an authorization in any transaction, and EIP-1822 has no event
  return kind === 'EIP-7702' || kind === 'EIP-1822' ? undefined : [address, beacon ?? []].flat();
}

/**
 * Returns the ABIs of contracts whose current code equals the verified code, in order.
 * @throws ApiProblem node_unavailable, state_unavailable
 */
export async function readVerifiedAbis(
  { client, verified }: Pick<SourceReadDeps, 'client' | 'verified'>,
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<(readonly unknown[])[]> {
  const known = await verified.interfaces(addresses);
  const candidates = addresses.filter((address) => known.has(address));
  const codes = await readCodes(client, candidates, signal);
  return candidates.flatMap((address, i) => {
    const stored = known.get(address);
    return stored?.codeHash === keccak256Hex(codes[i] ?? '0x') ? [stored.abi] : [];
  });
}

type Abi = readonly unknown[];

/** Caches the newest merged ABI by its first part, because hashing all entries of large ABIs is slow. */
const merged = new WeakMap<Abi, { readonly parts: readonly Abi[]; readonly made: Interface }>();

/** Merges functions, errors and events. Of equal entries, the first is used. */
export function mergeAbis(all: readonly Abi[]): Interface {
  const parts = all.filter(({ length }) => length > 0);
  const [first, ...others] = parts;
  if (!first) return parseAbi([]);
  if (others.length === 0) return parseAbi(first as InterfaceAbi);
  const known = merged.get(first);
  if (known?.parts.length === parts.length && known.parts.every((part, i) => part === parts[i])) return known.made;
  const made = merge(parts);
  merged.set(first, { parts, made });
  return made;
}

function merge(parts: readonly Abi[]): Interface {
  const seen = new Set<string>();
  const fragments: Fragment[] = [];
  for (const abi of parts)
    if (fragments.length < maxEntries) fragments.push(...parseAbi(abi as InterfaceAbi).fragments);
  return parseAbi(
    fragments.filter((fragment) => {
      if (fragment instanceof EventFragment) return true;
      if (!(fragment instanceof FunctionFragment || fragment instanceof ErrorFragment)) return false;
      // a proxy runs its own function, not a function of its implementation with the same selector
      const key = `${fragment.type} ${fragment.selector}`;
      const isFirst = !seen.has(key);
      seen.add(key);
      return isFirst;
    }),
  );
}
