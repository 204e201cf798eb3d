/**
 * Time after its time limit from which a statement of a client counts as stuck in the embedded engine, which then
 * restarts, ms. A function checks no limit within a block of rows.
 */
export const overtimeMs = 20_000;
