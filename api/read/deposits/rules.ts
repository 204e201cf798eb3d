/** Rules for crediting deposits. @source docs/deposits.md#what-the-verdict-checks */

/** A transfer needs blockNumber + 20 <= latest. */
export const requiredConfirmations = 20;
