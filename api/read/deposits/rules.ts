/** Rules for crediting deposits. @source docs/integration.md#verdicts */

/** A transfer needs blockNumber + 20 <= latest. */
export const requiredConfirmations = 20;
