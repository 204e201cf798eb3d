/** Parses untrusted ABIs, and finds their functions and events. */
import {
  AbiCoder,
  EventFragment,
  Fragment,
  type FunctionFragment,
  Interface,
  type InterfaceAbi,
  type ParamType,
} from 'ethers';
import { distinctBy } from '#runtime/lists.ts';

/** Maximum ratio of decoded to encoded size: crafted data can reference one value many times. */
const maxInflation = 16;
AbiCoder._setDefaultMaxInflation(maxInflation);

/** Maximum number of ABI entries per request: parsing and hashing 6,000 takes 0.2 s. */
export const maxEntries = 6_000;

export class EntryBudget {
  #left = maxEntries;
  readonly #counted = new Set<readonly unknown[]>();

  /**
   * Counts the ABIs of a contract. A single ABI counts once per request, because it is parsed only once. Several ABIs
   * are merged again for each contract.
   * @returns false, without counting, if they are too large
   */
  admits(abis: readonly (readonly unknown[])[]): boolean {
    const [first, ...others] = abis.filter(({ length }) => length > 0);
    if (!first || (others.length === 0 && this.#counted.has(first))) return true;
    const entries = others.reduce((sum, { length }) => sum + length, first.length);
    if (entries > this.#left) return false;
    this.#left -= entries;
    if (others.length === 0) this.#counted.add(first);
    return true;
  }
}

/** Keyed by the ABI array: a cached verified ABI is always the same array object. */
const parsed = new WeakMap<readonly unknown[], Interface>();

/** Parses an ABI without its invalid entries. */
export function parseAbi(abi: InterfaceAbi): Interface {
  const entries: readonly unknown[] = Array.isArray(abi) ? abi : [];
  const known = parsed.get(entries);
  if (known) return known;
  const made = new Interface(entries.flatMap((entry) => parseFragment(entry) ?? []));
  parsed.set(entries, made);
  return made;
}

/** @returns undefined for an entry that is invalid or too large to decode */
export function parseFragment(entry: unknown): Fragment | undefined {
  try {
    const fragment = Fragment.from(entry);
    return isBounded(fragment) ? fragment : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum number of elements of fixed-length arrays: ethers creates a decoder for each, even for empty data. */
const maxElements = 2_048;

function isBounded(fragment: Fragment): boolean {
  const { inputs, outputs = [] } = fragment as Fragment & { readonly outputs?: readonly ParamType[] };
  return countElements([...inputs, ...outputs]) <= maxElements;
}

function countElements(types: readonly ParamType[]): number {
  return types.reduce((sum, { arrayLength, arrayChildren, components }) => {
    if (arrayChildren) return sum + Math.max(1, arrayLength ?? 1) * countElements([arrayChildren]);
    return sum + 1 + (components ? countElements(components) : 0);
  }, 0);
}

interface Index {
  readonly functions: ReadonlyMap<string, FunctionFragment>;
  readonly events: ReadonlyMap<string, EventFragment>;
}

/** Look-up tables, because ethers hashes every entry at each look-up (1.6 ms for 50 functions). */
const indexes = new WeakMap<Interface, Index>();

function getIndex(abi: Interface): Index {
  const known = indexes.get(abi);
  if (known) return known;
  const functions = new Map<string, FunctionFragment>();
  const events = new Map<string, EventFragment>();
  abi.forEachFunction((each) => void functions.set(each.selector, each));
  for (const each of listEvents(abi)) events.set(toLogKey(each), each);
  const index = { functions, events };
  indexes.set(abi, index);
  return index;
}

const countIndexed = ({ inputs }: EventFragment) => inputs.filter(({ indexed }) => indexed).length;
const toLogKey = (event: EventFragment) => `${event.topicHash}${countIndexed(event)}`;

/**
 * Returns the events of an ABI, but only the first of those with indistinguishable logs. ethers' forEachEvent() also
 * skips events that differ only in indexed parameters, such as Transfer of ERC-20 and ERC-721.
 */
export function listEvents({ fragments }: Interface): EventFragment[] {
  const events = fragments.filter((each): each is EventFragment => each instanceof EventFragment);
  return distinctBy(events, toLogKey);
}

export const findFunction = (abi: Interface, selector: string): FunctionFragment | undefined =>
  getIndex(abi).functions.get(selector);

/** Events with equal signatures can differ in their number of topics. */
export const findEvent = (abi: Interface, topics: readonly string[]): EventFragment | undefined =>
  getIndex(abi).events.get(`${topics[0]}${topics.length - 1}`);
