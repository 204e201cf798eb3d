/** Rules for crediting deposits. @source docs/deposits.md#what-the-verdict-checks */

/** Number of later blocks after which a transfer can be credited: blockNumber + 20 <= latest. */
export const requiredConfirmations = 20;
