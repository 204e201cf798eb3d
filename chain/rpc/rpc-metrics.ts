/** Metrics of requests to nodes. Labels omit URLs, which may contain credentials. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RpcObserver, RpcOutcome } from './endpoint.ts';
import type { RpcClient } from './rpc-client.ts';

const labels = ['endpoint', 'host'] as const;

export class RpcMetrics implements RpcObserver {
  readonly #duration: Histogram<'endpoint' | 'host'>;
  readonly #requests: Counter<'endpoint' | 'host' | 'outcome'>;
  #client: RpcClient | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#duration = new Histogram({
      name: 'cordscan_rpc_request_duration_seconds',
      help: 'Time from a JSON-RPC request or batch to the reply of the node, including queueing, seconds',
      labelNames: labels,
      registers,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    });
    this.#requests = new Counter({
      name: 'cordscan_rpc_requests_total',
      help: 'Number of JSON-RPC requests and batches sent to nodes, by outcome',
      labelNames: [...labels, 'outcome'] as const,
      registers,
    });
    this.#gauge(
      registry,
      'available',
      '1 if the endpoint answers and is not paused after errors, else 0',
      (endpoint) => (endpoint.health.healthy ? 1 : 0),
    );
    this.#gauge(registry, 'head', 'Number of the newest block that the endpoint reported', ({ head }) =>
      head < 0 ? undefined : head,
    );
    this.#gauge(
      registry,
      'in_flight_limit',
      'Maximum number of concurrent requests to the endpoint; adapts to its latency and errors',
      (endpoint) => endpoint.health.inFlightLimit,
    );
  }

  watch(client: RpcClient): void {
    this.#client = client;
  }

  recordRequest(endpoint: number, host: string, seconds: number, outcome: RpcOutcome): void {
    const target = { endpoint: String(endpoint), host };
    this.#duration.observe(target, seconds);
    this.#requests.inc({ ...target, outcome });
  }

  recordInvalid(endpoint: number, host: string): void {
    this.#requests.inc({ endpoint: String(endpoint), host, outcome: 'invalid_data' });
  }

  #gauge(
    registry: Registry,
    name: string,
    help: string,
    value: (endpoint: RpcClient['endpoints'][number]) => number | undefined,
  ): void {
    const endpoints = () => this.#client?.endpoints ?? [];
    new Gauge({
      name: `cordscan_rpc_endpoint_${name}`,
      help,
      labelNames: labels,
      registers: [registry],
      collect() {
        this.reset();
        for (const [at, endpoint] of endpoints().entries()) {
          const now = value(endpoint);
          if (now !== undefined) this.set({ endpoint: String(at), host: endpoint.name }, now);
        }
      },
    });
  }
}
