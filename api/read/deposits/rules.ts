/** A transfer is creditable when blockNumber + 20 <= latest. @source docs/deposits.md#what-the-verdict-checks */
export const requiredConfirmations = 20;
export const maxConfirmations = 100_000;
