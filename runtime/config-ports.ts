export interface Port {
  /** Environment variable that sets the port. */
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

/** Lists all configured ports. `isUsed`: `cordscan start` listens on the port. */
function listPorts(config: PortSettings): (Port & { readonly isUsed: boolean })[] {
  const { HOST: host, METRICS_PORT: metricsPort, CLICKHOUSE_URL, RPC_URL } = config;
  return [
    { name: 'PORT', host, port: config.PORT, isUsed: true },
    { name: 'EDGE_PORT', host, port: config.EDGE_PORT, isUsed: true },
    ...(metricsPort === undefined ? [] : [{ name: 'METRICS_PORT', host, port: metricsPort, isUsed: true }]),
    { name: 'CLICKHOUSE_PORT', host: '127.0.0.1', port: config.CLICKHOUSE_PORT, isUsed: !CLICKHOUSE_URL },
    { name: 'DEVCHAIN_PORT', host, port: config.DEVCHAIN_PORT, isUsed: !RPC_URL },
  ];
}

export const getPorts = (config: PortSettings): Port[] => listPorts(config).filter(({ isUsed }) => isUsed);

/** Returns the variable that sets a port, even if the port is not used. */
export const findPortVariable = (config: PortSettings, port: number): string | undefined =>
  listPorts(config).find((one) => one.port === port)?.name;

export const describeTakenPort = ({ name, host, port }: Port): string =>
  `${name}: ${host}:${port} is taken by another process: stop it, or set ${name} to a free port`;
