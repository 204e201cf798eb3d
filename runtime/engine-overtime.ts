/**
 * How far a client's statement may exceed its time limit before the embedded engine counts it as stuck and restarts,
 * ms. A function checks no limit within a block of rows.
 */
export const overtimeMs = 20_000;
