/** Decodes calls and logs that match a known declaration completely. */

import { AbiCoder, type EventFragment, type Fragment, type FunctionFragment, Interface, type ParamType } from 'ethers';
import { known } from '#runtime/known.ts';
import { DecodingBudget } from '../decoding-cost.ts';
import { findEvent, findFunction } from '../parse-abi.ts';
import { type Signature, toFragments } from '../signatures/signatures.ts';
import { knownEvents } from './known-abis.ts';

export interface DecodedValue {
  readonly name: string;
  readonly type: string;
  /** Numbers are decimal, bytes are hex. */
  readonly value: string | readonly string[];
}

/**
 * Origin of a declaration. verified: source of the contract, of its implementation, or of a contract with equal code.
 * standard: a common interface such as ERC-20. signature: a known signature with the same selector.
 */
type DecodingSource = 'verified' | 'standard' | 'signature';

export interface Decoded {
  readonly source: DecodingSource;
  /** Common interface that defines the event; else empty. */
  readonly family: string;
  readonly name: string;
  readonly signature: string;
  readonly values: readonly DecodedValue[];
  /** Other signatures that match the data. */
  readonly others: readonly string[];
}

/** Declarations that may match a call or log. */
export interface Knowledge {
  /** Verified ABI of the contract. */
  readonly own?: Interface | undefined;
  readonly signatures?: readonly Signature[] | undefined;
  /** Shared by all calls and logs of a request. */
  readonly budget?: DecodingBudget;
}

interface Known {
  readonly family: string;
  readonly fragment: EventFragment;
}

const events = new Map<string, Known[]>();
for (const [family, fragments] of Object.entries(knownEvents)) {
  new Interface(fragments).forEachEvent((fragment) => {
    const same = events.get(fragment.topicHash) ?? [];
    events.set(fragment.topicHash, [...same, { family, fragment }]);
  });
}

const indexedCount = (fragment: EventFragment) => fragment.inputs.filter((input) => input.indexed).length;

/** Maximum length of decoded data, hex digits. */
const maxData = 65_536;

interface Log {
  readonly topics: readonly string[];
  readonly data: string;
}

/** Uses the verified ABI, else a common interface, else known signatures. */
export function decodeLog(
  log: Log,
  { own, signatures = [], budget = new DecodingBudget() }: Knowledge = {},
): Decoded | undefined {
  const fragment = own && findEvent(own, log.topics);
  const verified = fragment && tryEvent(log, fragment, { source: 'verified', budget });
  if (verified) return verified;
  const standard = events
    .get(log.topics[0] ?? '')
    ?.find((each) => indexedCount(each.fragment) === log.topics.length - 1);
  const known = standard && tryEvent(log, standard.fragment, { source: 'standard', family: standard.family, budget });
  return (
    known ??
    unite(
      toFragments(signatures, 'event').map((each) =>
        tryEvent(log, each as EventFragment, { source: 'signature', budget }),
      ),
    )
  );
}

/** Uses the verified ABI, else known signatures. */
export function decodeCall(
  input: string,
  { own, signatures = [], budget = new DecodingBudget() }: Knowledge = {},
): Decoded | undefined {
  const fragment = own && findFunction(own, input.slice(0, 10));
  const verified = fragment && tryCall(input, fragment, { source: 'verified', budget });
  return (
    verified ??
    unite(
      toFragments(signatures, 'function').map((each) =>
        tryCall(input, each as FunctionFragment, { source: 'signature', budget }),
      ),
    )
  );
}

/** Returns the first (most trusted) result with the signatures of the others. */
function unite(results: readonly (Decoded | undefined)[]): Decoded | undefined {
  const [first, ...others] = results.filter((each) => each !== undefined);
  if (!first) return undefined;
  const names = others.flatMap((other) => {
    if (other.signature !== first.signature) return [other.signature];
    const isSame = String(other.values.map(({ value }) => value)) === String(first.values.map(({ value }) => value));
    return isSame ? [] : [`${other.signature} with other indexed values`];
  });
  return { ...first, others: [...new Set(names)] };
}

interface Attempt {
  readonly source: DecodingSource;
  readonly family?: string;
  readonly budget: DecodingBudget;
}

const isAffordable = ({ inputs }: Fragment, data: string, budget: DecodingBudget) =>
  data.length <= maxData && budget.take(inputs, data);

function tryEvent({ topics, data }: Log, fragment: EventFragment, { source, family = '', budget }: Attempt) {
  if (indexedCount(fragment) !== topics.length - 1 || !isAffordable(fragment, data, budget)) return undefined;
  try {
    const values = new Interface([fragment]).decodeEventLog(fragment, data, [...topics]).toArray();
    if (source === 'signature' && !encodesBack(fragment, values, { topics, data })) return undefined;
    return describe(source, fragment, values, family);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether decoded values encode to the same log. Events that differ only in their indexed parameters have the
 * same first topic, and the decoder ignores extra bytes.
 */
function encodesBack({ inputs }: EventFragment, values: readonly unknown[], { topics, data }: Log): boolean {
  const coder = AbiCoder.defaultAbiCoder();
  const placed = inputs.map((input, i) => ({ input, value: values[i] }));
  const inData = placed.filter(({ input }) => !input.indexed);
  const encoded = coder.encode(
    inData.map(({ input }) => input),
    inData.map(({ value }) => value),
  );
  if (encoded !== data) return false;
  return placed
    .filter(({ input }) => input.indexed)
    .every(({ input, value }, i) => isHashed(input) || coder.encode([input], [value]) === topics[i + 1]);
}

/** Values decoded by a known signature must encode to the same input, because 4-byte selectors collide. */
function tryCall(input: string, fragment: FunctionFragment, { source, budget }: Attempt): Decoded | undefined {
  if (!isAffordable(fragment, input, budget)) return undefined;
  try {
    const abi = new Interface([fragment]);
    const values = abi.decodeFunctionData(fragment, input);
    if (source === 'signature' && abi.encodeFunctionData(fragment, values) !== input) return undefined;
    return describe(source, fragment, values.toArray());
  } catch {
    return undefined;
  }
}

function describe(
  source: DecodingSource,
  fragment: EventFragment | FunctionFragment,
  values: readonly unknown[],
  family = '',
): Decoded {
  return {
    source,
    family,
    name: fragment.name,
    signature: fragment.format('sighash'),
    values: fragment.inputs.map((input, at) => ({
      name: input.name,
      type: displayType(input),
      value: toText(values[at], input),
    })),
    others: [],
  };
}

/** Logs contain only the hash of an indexed string, byte string, array or struct. */
const displayType = (input: ParamType): string => (isHashed(input) ? 'bytes32' : input.type);

const isHashed = ({ indexed, baseType, type }: ParamType): boolean =>
  indexed === true && (/^(array|tuple)$/.test(baseType) || /^(string|bytes)$/.test(type));

/** Encloses nested arrays and structs in brackets. Quotes strings, which may contain brackets and commas. */
function flatText(value: unknown, type: ParamType): string {
  if (Array.isArray(value)) return `[${value.map((part, i) => flatText(part, getMember(type, i))).join(', ')}]`;
  return type.baseType === 'string' ? JSON.stringify(value) : String(value);
}

const getMember = ({ arrayChildren, components }: ParamType, at: number) =>
  known(arrayChildren ?? components?.[at], 'the type of a member');

function toText(value: unknown, type: ParamType): string | readonly string[] {
  if (Array.isArray(value))
    return value.map((part, i) => (Array.isArray(part) ? flatText(part, getMember(type, i)) : String(part)));
  const hash = (value as { hash?: string } | null)?.hash;
  return typeof value === 'object' && hash !== undefined ? hash : String(value);
}
