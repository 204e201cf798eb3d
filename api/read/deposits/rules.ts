/** Rules for crediting deposits. @source specification 4.14 and part 8 */

/** A transfer needs blockNumber + 20 <= latest. */
export const requiredConfirmations = 20;
