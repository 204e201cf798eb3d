/** Rules for crediting deposits. @source docs/deposits.md#what-the-verdict-checks */

/** Number of later blocks that a creditable transfer needs: blockNumber + 20 <= latest. */
export const requiredConfirmations = 20;
