/** Finds functions, events and errors by selector, from common contracts, verified contracts and a signature server. */
import type { EventFragment, FunctionFragment, Interface, InterfaceAbi } from 'ethers';
import { hexDigits } from '#chain/codec/hex.ts';
import { groupBy, splitIntoChunks } from '#runtime/lists.ts';
import type { Database } from '#sql/client.ts';
import { type SignatureRow, storeSignatures } from '#sql/reference-data.ts';
import type { RowOf } from '#sql/statement-types.ts';
import { anywhere, Cache } from '../../../cache/cache.ts';
import { parseAbi, parseFragment } from '../parse-abi.ts';
import { describeFragments, type SignatureKind } from './describe-fragments.ts';

export type Signature = RowOf<'signatures_of_selectors'>;

/** Maximum per SQL statement, because the request URL contains the selectors. */
const selectorsAtOnce = 500;

export interface SignatureDeps {
  readonly signatures: Signatures;
}

export class Signatures {
  readonly #known = new Cache<readonly Signature[]>('signatures');
  readonly database: Database;
  /** Called with selectors that have no known signature. */
  onUnknown: (selectors: readonly string[]) => void = () => {};

  constructor(database: Database) {
    this.database = database;
  }

  /**
   * Returns known signatures, the most trusted first.
   * @param selectors 4 bytes for functions and errors, 32 bytes for events (topic 0); 0x hex
   */
  async lookUp(selectors: Iterable<string>): Promise<ReadonlyMap<string, readonly Signature[]>> {
    const found = new Map<string, readonly Signature[]>();
    const wanted = new Set<string>();
    for (const selector of selectors) {
      const known = this.#known.get(selector, anywhere);
      if (known) found.set(selector, known);
      else if (isSelector(selector)) wanted.add(selector);
    }
    for (const some of splitIntoChunks([...wanted], selectorsAtOnce)) {
      const rows = await this.database.read('signatures_of_selectors', { selectors: some.map(hexDigits) });
      const bySelector = groupBy(rows, ({ selector_hex }) => `0x${selector_hex}`);
      for (const selector of some) {
        const these = bySelector.get(selector) ?? [];
        this.#known.set(selector, anywhere, these);
        found.set(selector, these);
      }
    }
    const unknown = [...wanted].filter((selector) => found.get(selector)?.length === 0);
    if (unknown.length > 0) this.onUnknown(unknown);
    return found;
  }

  /**
   * Returns a function that names methods by selector; null if the selector is unknown, or if equally trusted functions
   * share it.
   */
  async methodNames(selectors: Iterable<string>): Promise<MethodNames> {
    const known = await this.lookUp(selectors);
    return (selector) => chooseFunction(known.get(selector) ?? []);
  }

  learnAbi(abi: readonly unknown[], address: string): Promise<void> {
    const fragments = describeFragments(parseAbi(abi as InterfaceAbi));
    return this.learn(
      fragments.map((each) => ({ ...each, origin: address })),
      'verified',
    );
  }

  async learn(rows: readonly SignatureRow[], source: 'verified' | 'server'): Promise<void> {
    await storeSignatures(this.database, rows, source);
    for (const { selector } of rows) this.#known.delete(selector, anywhere);
  }
}

/** Converts a selector to a method's name and declaration, such as "transfer(address to, uint256 value)". */
export type MethodNames = (selector: string) => { readonly name: string; readonly declaration: string } | null;

/** Returns null for contract creations and unknown methods. */
export const nameMethod = (names: MethodNames, to: string | null, selector: string): string | null =>
  to === null ? null : (names(selector)?.name ?? null);

const isSelector = (text: string) => /^0x([0-9a-f]{8}|[0-9a-f]{64})$/.test(text);

function chooseFunction(known: readonly Signature[]): ReturnType<MethodNames> {
  const [first, second] = known.filter(({ kind }) => kind === 'function');
  if (!first || first.priority === second?.priority) return null;
  return {
    name: first.signature.slice(0, first.signature.indexOf('(')),
    declaration: first.declaration.slice('function '.length),
  };
}

/** Parses the valid signatures of one kind. */
export function toFragments(known: readonly Signature[], kind: SignatureKind): (EventFragment | FunctionFragment)[] {
  return known
    .filter((each) => each.kind === kind)
    .flatMap(({ declaration }) => (parseFragment(declaration) as EventFragment | FunctionFragment | undefined) ?? []);
}

/** Returns an interface with the most trusted error; undefined if several have equal trust. */
export function errorInterface(known: readonly Signature[]): Interface | undefined {
  const [error, second] = known.filter(({ kind }) => kind === 'error');
  return error && error.priority !== second?.priority ? parseAbi([error.declaration]) : undefined;
}
