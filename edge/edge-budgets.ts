import { Budget, type RateMode } from '#runtime/budgets/budget.ts';
import { getAddressPrefix, getNetworkPrefix } from '#runtime/budgets/network.ts';
import { Places } from '#runtime/budgets/places.ts';

export interface EdgeRates {
  readonly mode: RateMode;
  readonly perAddress: number;
  readonly perNetwork: number;
  readonly clientsPerAddress: number;
  readonly clientsPerNetwork: number;
  readonly proxyHops: number;
}

/** Maximum subscriptions per address and per network, because each event is sent to all of them. */
const maxSubscriptions = { ofAddress: 640, ofNetwork: 6_400 };

export class EdgeBudgets {
  readonly #addresses: Budget;
  readonly #networks: Budget;
  readonly #clients: Places;
  readonly #subscriptions: Places;
  readonly rates: EdgeRates;

  constructor(rates: EdgeRates) {
    this.rates = rates;

    this.#addresses = new Budget('address', rates.perAddress);
    this.#networks = new Budget('network', rates.perNetwork);
    const ifEnforced = (limit: number) => (rates.mode === 'enforce' ? limit : Number.POSITIVE_INFINITY);
    const [perAddress, perNetwork] = [ifEnforced(rates.clientsPerAddress), ifEnforced(rates.clientsPerNetwork)];
    this.#clients = new Places(Number.POSITIVE_INFINITY, perAddress, perNetwork);
    const { ofAddress, ofNetwork } = maxSubscriptions;
    this.#subscriptions = new Places(Number.POSITIVE_INFINITY, ifEnforced(ofAddress), ifEnforced(ofNetwork));
  }

  /** Counts calls. @returns false if the calls must be rejected */
  async admits(ip: string, calls: number): Promise<boolean> {
    const own = await this.#addresses.spend(getAddressPrefix(ip), calls);
    const isEnforced = this.rates.mode === 'enforce';
    // calls over the limit of the address don't count against its network
    if (own.isOver) return !isEnforced;
    const all = await this.#networks.spend(getNetworkPrefix(ip), calls);
    return !(all.isOver && isEnforced);
  }

  /**
   * Counts a WebSocket client. @returns a function to call on disconnect; undefined: the address or its network has too
   * many
   */
  takePlace(ip: string): (() => void) | undefined {
    return take(this.#clients, ip);
  }

  /** Counts a subscription. @returns as `takePlace` */
  takeSubscription(ip: string): (() => void) | undefined {
    return take(this.#subscriptions, ip);
  }
}

function take(places: Places, ip: string): (() => void) | undefined {
  const place = places.take(getAddressPrefix(ip), getNetworkPrefix(ip));
  return typeof place === 'function' ? place : undefined;
}
