/** A transfer can be credited if blockNumber + 20 <= latest. @source docs/deposits.md#what-the-verdict-checks */
export const requiredConfirmations = 20;
