/** Budgets of the edge per address and network. The edge has no API keys: applications that need more use the API. */
import { Budget, type RateMode } from '#runtime/budgets/budget.ts';
import { addressOf, getNetworkPrefix } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';

export interface EdgeRates {
  readonly mode: RateMode;
  /** JSON-RPC calls per minute. */
  readonly perAddress: number;
  readonly perNetwork: number;
  /** Concurrent WebSocket clients. */
  readonly clientsPerAddress: number;
  /** Number of trusted proxies, see callerAddress(). */
  readonly proxyHops: number;
}

export class EdgeBudgets {
  readonly #addresses: Budget;
  readonly #networks: Budget;
  readonly #clients: Places;
  readonly rates: EdgeRates;

  constructor(rates: EdgeRates) {
    this.rates = rates;

    this.#addresses = new Budget('address', rates.perAddress);
    this.#networks = new Budget('network', rates.perNetwork);
    const perAddress = rates.mode === 'enforce' ? rates.clientsPerAddress : Number.POSITIVE_INFINITY;
    this.#clients = new Places(Number.POSITIVE_INFINITY, perAddress);
  }

  /** Adds calls to the budgets. @returns false if they must be rejected */
  async admits(ip: string, calls: number): Promise<boolean> {
    const own = await this.#addresses.spend(addressOf(ip), calls);
    const isEnforced = this.rates.mode === 'enforce';
    if (own.isOver) return !isEnforced; // rejected calls don't count for the network
    const all = await this.#networks.spend(getNetworkPrefix(ip), calls);
    return !(all.isOver && isEnforced);
  }

  /** Takes a place for a WebSocket client. @returns the function that releases it; undefined if the address is at its limit */
  takePlace(ip: string): (() => void) | undefined {
    const place = this.#clients.take(addressOf(ip));
    return typeof place === 'function' ? place : undefined;
  }
}
