/** Rows of some blocks, by a state. */

import type { Database } from '#sql/client.ts';
import type { Parameters } from '#sql/parameters.ts';
import { type ChainState, snapshotParameters } from '#sql/snapshot.ts';
import type { StatementName } from '#sql/statements.gen.ts';
import { getStatement, type Statements } from '#sql/statements.ts';

export interface Span {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

export type Source = { readonly database: Database; readonly statements: Statements };

/** Addresses that are looked up at once: they travel in the address of a request. */
export const lookUpAddresses = 4_000;

/** A stretch that only grows until another one begins. */
export const stretchOf = ({ epoch }: ChainState, from: number) => `${epoch}:${from}`;

/** @param name of a statement with parameters snapshot, from_block and to_block */
export function readSpan<Row>(
  { database, statements }: Source,
  name: StatementName,
  state: ChainState,
  { from, to }: Span,
) {
  const parameters: Parameters = { ...snapshotParameters(state), from_block: from, to_block: to };
  return database.readBinary<Row>(getStatement(statements, name), parameters);
}
