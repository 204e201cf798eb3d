/** Confirmations that a deposit must have before it is credited. */
export interface ConfirmationRule {
  /** For all deposits; at least 20. */
  readonly least: number;
  /** For deposits of more than an amount of wei. */
  readonly larger: readonly { readonly above: bigint; readonly confirmations: number }[];
}

/** Confirmations that the API requires for every deposit. @source docs/deposits.md#what-the-verdict-checks */
const leastConfirmations = 20;

export const defaultConfirmations: ConfirmationRule = { least: leastConfirmations, larger: [] };

/** Returns the confirmations that a deposit of this value needs, in wei. */
export function getNeeded({ least, larger }: ConfirmationRule, value: string): number {
  const matching = larger.filter(({ above }) => BigInt(value) > above);
  return Math.max(least, ...matching.map(({ confirmations }) => confirmations));
}

/**
 * Checks that the API applied the required number: earlier versions ignore the parameter.
 * @throws Error if it applied a lower number
 */
export function assertApplied(applied: number, needed: number): void {
  if (applied < needed)
    throw new Error(`the API required ${applied} confirmations instead of ${needed}: upgrade the service`);
}
