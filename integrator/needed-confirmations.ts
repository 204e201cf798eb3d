/** Confirmations required before a deposit is credited. */
export interface ConfirmationRule {
  /** For all deposits; at least 20. */
  readonly least: number;
  /** For deposits above an amount in wei. */
  readonly larger: readonly { readonly above: bigint; readonly confirmations: number }[];
}

/** Minimum that the API requires for every deposit. @source docs/deposits.md#what-the-verdict-checks */
const leastConfirmations = 20;

export const defaultConfirmations: ConfirmationRule = { least: leastConfirmations, larger: [] };

/** Returns the confirmations that a deposit needs. @param value wei */
export function getNeeded({ least, larger }: ConfirmationRule, value: string): number {
  const matching = larger.filter(({ above }) => BigInt(value) > above);
  return Math.max(least, ...matching.map(({ confirmations }) => confirmations));
}

/**
 * Earlier versions of the API ignore the parameter.
 * @throws Error if it applied a lower number
 */
export function assertApplied(applied: number, needed: number): void {
  if (applied < needed)
    throw new Error(`the API required ${applied} confirmations instead of ${needed}: upgrade the service`);
}
