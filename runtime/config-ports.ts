/** The ports that a configuration listens on. */

export interface Port {
  /** Variable that sets it. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

interface PortSettings {
  readonly HOST: string;
  readonly PORT: number;
  readonly EDGE_PORT: number;
  readonly METRICS_PORT?: number | undefined;
  readonly CLICKHOUSE_PORT: number;
  readonly CLICKHOUSE_URL?: string | undefined;
  readonly DEVCHAIN_PORT: number;
  readonly RPC_URL?: readonly string[] | undefined;
}

/** Returns the ports of the parts that `cordscan start` starts with this configuration. */
export function getPorts(config: PortSettings): Port[] {
  const { HOST: host } = config;
  return [
    { name: 'PORT', host, port: config.PORT },
    { name: 'EDGE_PORT', host, port: config.EDGE_PORT },
    ...(config.METRICS_PORT === undefined ? [] : [{ name: 'METRICS_PORT', host, port: config.METRICS_PORT }]),
    ...(config.CLICKHOUSE_URL ? [] : [{ name: 'CLICKHOUSE_PORT', host: '127.0.0.1', port: config.CLICKHOUSE_PORT }]),
    ...(config.RPC_URL ? [] : [{ name: 'DEVCHAIN_PORT', host, port: config.DEVCHAIN_PORT }]),
  ];
}

/** Returns the error of a port in use. */
export const describeTakenPort = ({ name, host, port }: Port): string =>
  `${name}: ${host}:${port} is taken by another process: stop it, or set ${name} to a free port`;
