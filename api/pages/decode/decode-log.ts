/** Logs and calls by what is known; what does not fit in full is left raw. */
import { type EventFragment, type FunctionFragment, Interface, type ParamType } from 'ethers';
import { knownEvents, knownFunctions } from './known-abis.ts';

/** A value of a decoded log or call, as text of its type. */
export interface DecodedValue {
  readonly name: string;
  readonly type: string;
  /** Numbers decimal, bytes hex, lists of such. A value behind a hash (indexed text) is its hash. */
  readonly value: string | readonly string[];
}

export interface Decoded {
  /** Of which known interface. */
  readonly family: string;
  readonly name: string;
  readonly signature: string;
  readonly values: readonly DecodedValue[];
}

interface Known<F> {
  readonly family: string;
  readonly fragment: F;
  readonly abi: Interface;
}

const events = new Map<string, Known<EventFragment>[]>();
for (const [family, fragments] of Object.entries(knownEvents)) {
  const abi = new Interface(fragments);
  abi.forEachEvent((fragment) => {
    const same = events.get(fragment.topicHash) ?? [];
    events.set(fragment.topicHash, [...same, { family, fragment, abi }]);
  });
}

const functionAbi = new Interface(knownFunctions);
const functions = new Map<string, FunctionFragment>();
functionAbi.forEachFunction((fragment) => void functions.set(fragment.selector, fragment));

const indexedCount = (fragment: EventFragment) => fragment.inputs.filter((input) => input.indexed).length;

/** @returns undefined where the event is not known, or the data is not what it must be */
export function decodeLog({ topics, data }: { topics: readonly string[]; data: string }): Decoded | undefined {
  const known = events.get(topics[0] ?? '')?.find(({ fragment }) => indexedCount(fragment) === topics.length - 1);
  if (!known) return undefined;
  const { family, fragment, abi } = known;
  try {
    const values = abi.decodeEventLog(fragment, data, [...topics]);
    return decoded(family, fragment, values.toArray());
  } catch {
    return undefined;
  }
}

/** @param input call data, hex; the same rules as for logs */
export function decodeCall(input: string): Decoded | undefined {
  const fragment = functions.get(input.slice(0, 10));
  if (!fragment) return undefined;
  try {
    return decoded('', fragment, functionAbi.decodeFunctionData(fragment, input).toArray());
  } catch {
    return undefined;
  }
}

/** Name of a method by its id; the id where it is not known. */
export function methodName(methodId: string): string {
  return functions.get(methodId)?.name ?? methodId;
}

/** @throws where a text is no valid UTF-8 */
function decoded(family: string, fragment: EventFragment | FunctionFragment, values: readonly unknown[]): Decoded {
  return {
    family,
    name: fragment.name,
    signature: fragment.format('sighash'),
    values: fragment.inputs.map((input, at) => ({
      name: input.name,
      type: shownType(input),
      value: textOf(values[at]),
    })),
  };
}

/** An indexed text or list is there as its hash alone. */
function shownType(input: ParamType): string {
  const isHashed = input.indexed && (input.baseType === 'array' || /^(string|bytes)$/.test(input.type));
  return isHashed ? 'bytes32' : input.type;
}

function textOf(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map((part) => String(part));
  const hash = (value as { hash?: string } | null)?.hash;
  return typeof value === 'object' && hash !== undefined ? hash : String(value);
}
