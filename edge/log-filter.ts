/**
 * Filters logs for each client, because all clients share one subscription at the node.
 * @source geth, eth_subscribe logs
 */
import { isAddress, isHash } from '#chain/codec/hex.ts';

export interface LogFilter {
  /** Lower case; empty: all addresses match. */
  readonly addresses: ReadonlySet<string>;
  /** Accepted topics by position; null: any topic matches. */
  readonly topics: readonly (ReadonlySet<string> | null)[];
}

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
}

const maxChoices = 1_000;

/** Reads a client's log filter. @throws Error with a text for the client */
export function readLogFilter(given: unknown): LogFilter {
  if (given != null && (typeof given !== 'object' || Array.isArray(given)))
    throw new Error('the filter must be an object with address and topics');
  const { address, topics } = (given ?? {}) as { address?: unknown; topics?: unknown };
  const list = (value: unknown) => (value == null ? [] : Array.isArray(value) ? value : [value]);
  const addresses = list(address);
  if (addresses.length > maxChoices || !addresses.every(isAddress))
    throw new Error(`address must be an address or a list of at most ${maxChoices} addresses`);
  const positions = topics == null ? [] : topics;
  if (!Array.isArray(positions) || positions.length > 4)
    throw new Error('topics must be a list of at most 4 positions');
  return {
    addresses: new Set(addresses.map((one) => one.toLowerCase())),
    topics: positions.map((position) => {
      const choices = list(position);
      if (choices.length === 0 || choices.includes(null)) return null;
      if (choices.length > maxChoices || !choices.every(isHash))
        throw new Error(`each topic must be 32 bytes in hex, and a position can have at most ${maxChoices} topics`);
      return new Set(choices.map((one) => one.toLowerCase()));
    }),
  };
}

export const countChoices = ({ addresses, topics }: LogFilter): number =>
  topics.reduce((sum, choices) => sum + (choices?.size ?? 0), addresses.size);

/** A filter with more positions than the log has topics never matches. @source geth, eth/filters */
export function matchesLog({ addresses, topics }: LogFilter, log: Log): boolean {
  if (addresses.size > 0 && !addresses.has(log.address.toLowerCase())) return false;
  if (topics.length > log.topics.length) return false;
  return topics.every((choices, i) => choices === null || choices.has(log.topics[i]?.toLowerCase() ?? ''));
}
