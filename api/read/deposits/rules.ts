/** A transfer can be credited if blockNumber + 20 <= latest. @source docs/deposits.md#what-the-verdict-checks */
export const requiredConfirmations = 20;
/** Maximum number of confirmations that a request for a verdict may require. */
export const maxConfirmations = 100_000;
