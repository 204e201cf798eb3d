/** If data does not match a known ABI completely, the page shows it undecoded. */
import { type EventFragment, type FunctionFragment, Interface, type ParamType } from 'ethers';
import { findEvent, findFunction } from '../../read/contracts/parse-abi.ts';
import { knownEvents, knownFunctions } from './known-abis.ts';

export interface DecodedValue {
  readonly name: string;
  readonly type: string;
  /** Decoded numbers are decimal, decoded bytes are hex. */
  readonly value: string | readonly string[];
}

export interface Decoded {
  /** Interface that defines the event, e.g. ERC-20; empty for calls. */
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

/** Maximum length of data that is decoded by a verified interface, hex digits. */
const maxData = 65_536;

interface Log {
  readonly topics: readonly string[];
  readonly data: string;
}

/** Name of the family of events and calls that a verified interface declares. */
const verified = 'verified';

/**
 * Decodes an event log; undefined if it matches no known event.
 * @param own verified interface of the contract, which counts before the standard ones
 */
export function decodeLog(log: Log, own?: Interface): Decoded | undefined {
  return (own && decodeOwnLog(log, own)) ?? decodeStandardLog(log);
}

function decodeOwnLog({ topics, data }: Log, own: Interface): Decoded | undefined {
  const fragment = data.length > maxData ? undefined : findEvent(own, topics);
  if (!fragment) return undefined;
  try {
    return decoded(verified, fragment, own.decodeEventLog(fragment, data, [...topics]).toArray());
  } catch {
    return undefined;
  }
}

function decodeStandardLog({ topics, data }: Log): Decoded | undefined {
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

/**
 * Decodes the call data of a transaction; undefined if it matches no known method.
 * @param own verified interface of the contract, which counts before the standard ones
 */
export function decodeCall(input: string, own?: Interface): Decoded | undefined {
  return (own && decodeOwnCall(input, own)) ?? decodeStandardCall(input);
}

function decodeOwnCall(input: string, own: Interface): Decoded | undefined {
  const fragment = input.length > maxData ? undefined : findFunction(own, input.slice(0, 10));
  if (!fragment) return undefined;
  try {
    return decoded(verified, fragment, own.decodeFunctionData(fragment, input).toArray());
  } catch {
    return undefined;
  }
}

function decodeStandardCall(input: string): Decoded | undefined {
  const fragment = functions.get(input.slice(0, 10));
  if (!fragment) return undefined;
  try {
    return decoded('', fragment, functionAbi.decodeFunctionData(fragment, input).toArray());
  } catch {
    return undefined;
  }
}

export function methodName(methodId: string): string {
  return functions.get(methodId)?.name ?? methodId;
}

function decoded(family: string, fragment: EventFragment | FunctionFragment, values: readonly unknown[]): Decoded {
  return {
    family,
    name: fragment.name,
    signature: fragment.format('sighash'),
    values: fragment.inputs.map((input, at) => ({
      name: input.name,
      type: displayType(input),
      value: toText(values[at]),
    })),
  };
}

/** Logs contain only the hash of an indexed string, byte string or list. */
function displayType(input: ParamType): string {
  const isHashed = input.indexed && (input.baseType === 'array' || /^(string|bytes)$/.test(input.type));
  return isHashed ? 'bytes32' : input.type;
}

/** Shows the structs and lists inside a list in brackets. */
function flatText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(flatText).join(', ')}]` : String(value);
}

function toText(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(flatText);
  const hash = (value as { hash?: string } | null)?.hash;
  return typeof value === 'object' && hash !== undefined ? hash : String(value);
}
