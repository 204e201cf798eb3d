/** What one address, and one network, may ask of the edge. It knows no keys: applications that need more use the API. */
import { Budget, type RateMode } from '#runtime/budgets/budget.ts';
import { addressOf, networkOf } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';

export interface EdgeRates {
  readonly mode: RateMode;
  /** JSON-RPC calls in a minute. */
  readonly perAddress: number;
  readonly perNetwork: number;
  /** WebSocket clients at once. */
  readonly clientsPerAddress: number;
  /** Proxies in front that are trusted to tell the caller's address. */
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

  /** Counts calls. @returns false where they are to be refused */
  async admits(ip: string, calls: number): Promise<boolean> {
    const own = await this.#addresses.spend(addressOf(ip), calls);
    const isEnforced = this.rates.mode === 'enforce';
    if (own.isOver) return !isEnforced; // what is refused costs the others of the network nothing
    const all = await this.#networks.spend(networkOf(ip), calls);
    return !(all.isOver && isEnforced);
  }

  /** Takes a place for a WebSocket client. @returns how to give it back; undefined where the address has no place left */
  takePlace(ip: string): (() => void) | undefined {
    const place = this.#clients.take(addressOf(ip));
    return typeof place === 'function' ? place : undefined;
  }
}
