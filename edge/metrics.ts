/** Edge metrics. Labels contain host names, never URLs, because URLs can contain credentials. */
import { Counter, Gauge, Histogram } from 'prom-client';
import type { UpstreamHealth } from '#gateway/upstream.ts';
import type { Upstreams } from '#gateway/upstreams.ts';
import { Readiness } from '#runtime/metrics/readiness.ts';
import { ProcessMetrics } from '#runtime/metrics/registry.ts';

/** Why a client was disconnected: slow (read too slowly) or silent (did not answer a ping). */
export type CutReason = 'slow' | 'silent';

export interface EdgeFigures {
  readonly clients: number;
  readonly subscriptions: number;
  readonly isUpstreamConnected: boolean | undefined;
}

const nodeLabels = ['node', 'host', 'role'] as const;

export class EdgeMetrics extends ProcessMetrics {
  readonly #requests: Histogram<'target' | 'status'>;
  readonly #cut: Counter<'reason'>;
  readonly #refused: Counter;
  #upstreams: Upstreams | undefined;
  #figures: (() => EdgeFigures) | undefined;

  constructor() {
    super();
    const { registry } = this;
    const registers = [registry];
    this.#requests = new Histogram({
      name: 'cordscan_edge_request_duration_seconds',
      help: 'Duration of requests to the JSON-RPC edge (proxy to the nodes) in seconds, by target (writer: the node for transactions, reads: the read pool) and HTTP status',
      labelNames: ['target', 'status'] as const,
      registers,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    });
    this.#cut = new Counter({
      name: 'cordscan_edge_clients_cut_total',
      help: 'Number of WebSocket clients that the JSON-RPC edge (proxy to the nodes) disconnected, by reason',
      labelNames: ['reason'] as const,
      registers,
    });
    for (const reason of ['slow', 'silent'] as const) this.#cut.inc({ reason }, 0);
    this.#refused = new Counter({
      name: 'cordscan_edge_clients_refused_total',
      help: 'Number of WebSocket clients that the JSON-RPC edge (proxy to the nodes) rejected',
      registers,
    });
    this.#figure('clients', 'Number of connected WebSocket clients', ({ clients }) => clients);
    this.#figure(
      'subscriptions',
      'Number of subscriptions of all WebSocket clients',
      ({ subscriptions }) => subscriptions,
    );
    this.#figure(
      'upstream_connected',
      '1 if the WebSocket to the node is connected, else 0',
      ({ isUpstreamConnected }) => (isUpstreamConnected === undefined ? undefined : Number(isUpstreamConnected)),
    );
    this.#node('available', '1 if the node receives requests, else 0', ({ state }) => (state === 'out' ? 0 : 1));
    this.#node('head', 'Highest block number reported by the node', ({ head }) => head);
    this.#node('lag_blocks', 'Blocks by which the node is behind the newest head', ({ lagBlocks }) => lagBlocks);
    this.#node(
      'latency_seconds',
      'Duration of the last health check of the node, seconds',
      ({ latencyMs }) => latencyMs && latencyMs / 1000,
    );
  }

  watch(upstreams: Upstreams, figures: () => EdgeFigures): void {
    this.#upstreams = upstreams;
    this.#figures = figures;
  }

  /**
   * Returns the checks of /readyz: the writer and a read node answer, and the WebSocket, if configured, is connected.
   */
  readiness(): Readiness {
    return new Readiness({
      writer: () => (this.#upstreams?.writer.head === undefined ? 'the writer does not answer' : undefined),
      readPool: () => {
        const upstreams = this.#upstreams;
        return upstreams?.readers.some((reader) => upstreams.getState(reader) !== 'out')
          ? undefined
          : 'no node of the read pool answers';
      },
      events: () =>
        this.#figures?.().isUpstreamConnected === false ? 'the WebSocket to the node is not connected' : undefined,
    });
  }

  observeRequest(target: string, status: number, seconds: number): void {
    this.#requests.observe({ target, status: String(status) }, seconds);
  }

  countDisconnect(reason: CutReason): void {
    this.#cut.inc({ reason });
  }

  countRejected(): void {
    this.#refused.inc();
  }

  #figure(name: string, help: string, value: (figures: EdgeFigures) => number | undefined): void {
    const figures = () => this.#figures?.();
    new Gauge({
      name: `cordscan_edge_${name}`,
      help,
      registers: [this.registry],
      collect() {
        const now = figures();
        const figure = now && value(now);
        if (figure === undefined) this.remove();
        else this.set(figure);
      },
    });
  }

  #node(name: string, help: string, value: (health: UpstreamHealth) => number | null): void {
    const upstreams = () => this.#upstreams;
    new Gauge({
      name: `cordscan_edge_node_${name}`,
      help,
      labelNames: nodeLabels,
      registers: [this.registry],
      collect() {
        this.reset();
        const now = upstreams();
        if (!now) return;
        for (const [at, upstream] of [now.writer, ...now.readers].entries()) {
          const figure = value(now.getHealth(upstream));
          const labels = { node: String(at), host: upstream.name, role: at === 0 ? 'writer' : 'reader' };
          if (figure !== null) this.set(labels, figure);
        }
      },
    });
  }
}
