/** Per address and network: the edge has no API keys. Applications that need more use the API. */
import { Budget, type RateMode } from '#runtime/budgets/budget.ts';
import { addressOf, getNetworkPrefix } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';

export interface EdgeRates {
  readonly mode: RateMode;
  /** Calls per minute. */
  readonly perAddress: number;
  readonly perNetwork: number;
  readonly clientsPerAddress: number;
  /** Trusted proxies, see callerAddress(). */
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

  /** @returns false if the calls must be rejected */
  async admits(ip: string, calls: number): Promise<boolean> {
    const own = await this.#addresses.spend(addressOf(ip), calls);
    const isEnforced = this.rates.mode === 'enforce';
    if (own.isOver) return !isEnforced; // rejected calls don't count for the network
    const all = await this.#networks.spend(getNetworkPrefix(ip), calls);
    return !(all.isOver && isEnforced);
  }

  /** @returns the function that releases the place; undefined at the address's limit */
  takePlace(ip: string): (() => void) | undefined {
    const place = this.#clients.take(addressOf(ip));
    return typeof place === 'function' ? place : undefined;
  }
}
