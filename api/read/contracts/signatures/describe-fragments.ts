import { ErrorFragment, EventFragment, Fragment, FunctionFragment, type Interface, type ParamType } from 'ethers';

const signatureKinds = ['function', 'event', 'error'] as const;
export type SignatureKind = (typeof signatureKinds)[number];

export interface SignatureText {
  /** Hash of the signature: first 4 bytes of a function or error, all 32 bytes of an event (topic 0). 0x hex. */
  readonly selector: string;
  readonly kind: SignatureKind;
  /** Name and types, such as transfer(address,uint256). */
  readonly signature: string;
  /** Events: one bit per parameter, 1 if indexed, the first in the lowest bit. Otherwise 0. */
  readonly indexed: number;
  /** For ethers, such as "function transfer(address to, uint256 value)". */
  readonly declaration: string;
}

/** Maximum length, because ABIs are untrusted. */
const maxDeclaration = 2_000;
const maxPerAbi = 1_000;
/** `indexed` is stored in 32 bits. */
const maxEventInputs = 32;

/** Skips anonymous events, because their logs have no topic 0. */
export function describeFragments(abi: Interface): SignatureText[] {
  return abi.fragments
    .flatMap((each): SignatureText[] => {
      if (each instanceof EventFragment)
        return each.anonymous || each.inputs.length > maxEventInputs ? [] : [describe(each, 'event', each.topicHash)];
      if (each instanceof FunctionFragment) return [describe(each, 'function', each.selector)];
      return each instanceof ErrorFragment ? [describe(each, 'error', each.selector)] : [];
    })
    .filter(({ declaration }) => declaration.length <= maxDeclaration)
    .slice(0, maxPerAbi);
}

function describe(
  fragment: EventFragment | FunctionFragment | ErrorFragment,
  kind: SignatureKind,
  selector: string,
): SignatureText {
  const { name, inputs } = fragment;
  const indexed = inputs.reduce((bits, input, i) => (input.indexed ? bits | (1 << i) : bits), 0) >>> 0;
  const declare = (format: 'full' | 'sighash') =>
    `${kind} ${name}(${inputs.map((one) => describeInput(one, format)).join(', ')})`;
  const named = declare('full');
  const declaration = isParsable(named) ? named : declare('sighash');
  return { selector, kind, signature: fragment.format('sighash'), indexed, declaration };
}

function describeInput(input: ParamType, format: 'full' | 'sighash'): string {
  return format === 'full' ? input.format('full') : `${input.format('sighash')}${input.indexed ? ' indexed' : ''}`;
}

/** Returns false for names that are keywords of ethers, such as "error". */
function isParsable(declaration: string): boolean {
  try {
    Fragment.from(declaration);
    return true;
  } catch {
    return false;
  }
}
