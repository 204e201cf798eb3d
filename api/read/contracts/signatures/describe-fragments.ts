import { ErrorFragment, EventFragment, Fragment, FunctionFragment, type Interface, type ParamType } from 'ethers';

const signatureKinds = ['function', 'event', 'error'] as const;
export type SignatureKind = (typeof signatureKinds)[number];

/** A function, event or error of an ABI, as text. */
export interface SignatureText {
  /** Function or error: the first 4 bytes of the hash of its signature; event: all 32 bytes (topic 0). 0x hex. */
  readonly selector: string;
  readonly kind: SignatureKind;
  /** Name and types, such as transfer(address,uint256). */
  readonly signature: string;
  /** Events: one bit for each parameter, 1 if it is indexed; the first parameter has the lowest bit. Otherwise 0. */
  readonly indexed: number;
  /** Name, types and parameter names, such as "function transfer(address to, uint256 value)"; ethers parses it. */
  readonly declaration: string;
}

/** Maximum length of a declaration: ABIs come from strangers. */
const maxDeclaration = 2_000;
const maxPerAbi = 1_000;
/** The indexed parameters of an event are stored as 32 bits. */
const maxEventInputs = 32;

/** Describes the functions, events and errors of an ABI. Leaves out anonymous events, whose logs have no topic 0. */
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

/** ethers rejects names that are words of its syntax, such as "error". */
function isParsable(declaration: string): boolean {
  try {
    Fragment.from(declaration);
    return true;
  } catch {
    return false;
  }
}
