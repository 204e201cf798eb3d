import type { Command } from 'commander';

const examples: Readonly<Record<string, readonly string[]>> = {
  start: ['cordscan start', 'RPC_URL=https://rpc.example CHAIN_ID=1 cordscan start'],
  index: ['RPC_URL=https://rpc.example CLICKHOUSE_URL=http://user:password@clickhouse:8123 cordscan index'],
  api: ['CLICKHOUSE_URL=http://user:password@clickhouse:8123 RPC_URL=https://rpc.example PORT=80 cordscan api'],
  edge: ['RPC_URL=https://a.example,https://b.example cordscan edge'],
  clickhouse: ['DATA_DIR=/var/lib/cordscan cordscan clickhouse'],
  devchain: ['cordscan devchain --blocks 500 --seed 7', 'cordscan devchain --reorg 5'],
  config: ['cordscan config', 'cordscan config --all'],
  doctor: ['RPC_URL=https://rpc.example cordscan doctor'],
  migrate: ['cordscan migrate'],
  status: ['cordscan status'],
  verify: ['cordscan verify --from 1000000 --to 1010000', 'cordscan verify --sample 20'],
  rewind: ['cordscan rewind 1234567'],
  sql: ['cordscan sql', 'cordscan sql blocks_desc'],
  backup: ['cordscan backup before-upgrade'],
  restore: ['CLICKHOUSE_DATABASE=restored cordscan restore before-upgrade'],
  rederive: ['cordscan rederive token_transfers', 'cordscan rederive rollups'],
  'checkpoint verify': ['cordscan checkpoint verify --signer 0x5fbdb2315678afecb367f032d93f642f64180aa3'],
  export: [
    'cordscan export transactions --out ./transactions --format parquet',
    'cordscan export transfers --out ./mine --address 0x5fbdb2315678afecb367f032d93f642f64180aa3 --format csv',
  ],
  check: [
    'cordscan check ./transactions --keys https://explorer.example/.well-known/jwks.json',
    'cordscan check transfers.csv --certificate certificate.json --keys jwks.json',
  ],
  mirror: [
    'cordscan mirror --to ./copy --url https://explorer.example',
    'cordscan mirror --to postgres://user:password@localhost/chain',
    'cordscan mirror --to ./copy --check',
  ],
  'registry import': ['cordscan registry import manifest.json --sha256 <64 hex digits>'],
  'integration list': ['cordscan integration list'],
  'integrator check': ['cordscan integrator check https://node.example --reference https://rpc.example'],
  'integrator deposits': [
    'cordscan integrator deposits --store ./books/deposits --addresses addresses.txt',
    'cordscan integrator deposits --store ./books/deposits --addresses addresses.txt --confirmations 40 --confirmations-above 100000=200',
  ],
  'integrator acknowledge': ['cordscan integrator acknowledge <64 hex digits> --store ./books/deposits'],
  'integrator withdrawals': [
    'WALLET_KEY=0x… cordscan integrator withdrawals --store ./books/withdrawals --requests requests.txt',
  ],
  'integrator books': ['cordscan integrator books --store ./books/deposits'],
};

/** Adds examples to the help of all subcommands. @throws Error when a subcommand has no example */
export function addExamples(command: Command, path: readonly string[] = []): void {
  for (const child of command.commands) {
    const full = [...path, child.name()];
    if (child.commands.length > 0) {
      addExamples(child, full);
      continue;
    }
    const lines = examples[full.join(' ')];
    if (!lines) throw new Error(`commands/examples.ts has no example of ${full.join(' ')}`);
    child.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
}
