import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { toQuantity, zeroAddress, zeroHash } from '#chain/codec/hex.ts';
import { pause } from '#runtime/shutdown.ts';
import { DevRpc } from './dev-rpc.ts';

/** Public seed phrase of the dev accounts, which are worthless on other chains. */
export const devMnemonic = 'test test test test test test test test test test test junk';
export const devAccountCount = 60;
/** Genesis balance per account, in FAT, the native coin. The treasury gets the rest. */
const devAccountFat = 10_000_000;
const genesisFat = 10_000_000_000;
export const devTreasury = '0x00000000000000000000000000000000000fa700';

/**
 * Returns a random loopback address on Linux, otherwise 127.0.0.1. Anvil accepts WebSockets from any web page, and a
 * page could find 127.0.0.1 by a port scan.
 */
export function hiddenLoopback(): string {
  const part = () => randomInt(1, 255);
  return process.platform === 'linux' ? `127.${part()}.${part()}.${part()}` : '127.0.0.1';
}

export interface AnvilOptions {
  readonly port: number;
  readonly chainId: number;
  readonly host?: string;
  readonly genesisTime: number;
}

export interface Anvil {
  readonly rpc: DevRpc;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts anvil, a local Ethereum node that mines only on request. @throws Error if it exits or is silent for 15 s */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { port, host = '127.0.0.1' } = options;
  const dir = await mkdtemp(join(tmpdir(), 'cordscan-genesis-'));
  const genesisFile = join(dir, 'genesis.json');
  await writeFile(genesisFile, JSON.stringify(genesisDocument(options)));
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit'];
  const child = spawn(anvilBinary(), anvilArguments(options, host, genesisFile), { stdio });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const rpc = new DevRpc(`http://${host}:${port}`);
  try {
    for (let waited = 0; waited < 15_000; waited += 50) {
      if (child.exitCode !== null) throw new Error(`anvil exited with code ${child.exitCode}: is port ${port} taken?`);
      if (await rpc.call('eth_chainId', []).catch(() => false))
        return { rpc, process: child, stop: () => stopChild(child, ended) };
      await pause(50);
    }
    child.kill('SIGKILL');
    throw new Error(`anvil did not answer on port ${port} within 15 s`);
  } finally {
    await rm(dir, { recursive: true, force: true }); // anvil has read the folder, and a later kill would leave it behind
  }
}

function anvilArguments({ port, chainId, genesisTime }: AnvilOptions, host: string, genesisFile: string): string[] {
  const values = {
    '--port': port,
    '--host': host,
    '--chain-id': chainId,
    '--timestamp': genesisTime,
    '--accounts': devAccountCount,
    '--mnemonic': devMnemonic,
    '--balance': devAccountFat,
    '--init': genesisFile,
    '--order': 'fifo',
    '--gas-limit': 60_000_000,
    '--block-base-fee-per-gas': 1_000_000_000,
    '--prune-history': 320,
  };
  const flags = ['--no-mining', '--silent', '--no-cors', '--no-request-size-limit'];
  return [...flags, ...Object.entries(values).flat().map(String)];
}

function genesisDocument({ chainId, genesisTime }: AnvilOptions) {
  const treasury = BigInt(genesisFat - devAccountCount * devAccountFat) * 10n ** 18n;
  return {
    config: { chainId },
    nonce: '0x0',
    timestamp: toQuantity(genesisTime),
    extraData: '0x',
    difficulty: '0x0',
    gasLimit: '0x3938700',
    baseFeePerGas: '0x3b9aca00',
    mixHash: zeroHash,
    coinbase: zeroAddress,
    alloc: { [devTreasury]: { balance: toQuantity(treasury) } },
  };
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(timer);
}

function anvilBinary(): string {
  const require = createRequire(import.meta.url);
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform as 'linux'];
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const manifest = require.resolve(`@foundry-rs/anvil-${platform}-${arch}/package.json`);
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
}
