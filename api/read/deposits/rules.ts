/** Rules that money is credited by. @source specification 4.14 and part 8 */

/** Blocks that must stand on a transfer's block: blockNumber + 20 <= latest. */
export const requiredConfirmations = 20;
