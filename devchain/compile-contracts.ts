import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AbiCoder, concat, Interface, type InterfaceAbi } from 'ethers';

export interface Contract {
  readonly abi: Interface;
  readonly bytecode: string;
}

export type ContractName =
  | ('Token20' | 'WrappedFat' | 'Nft721' | 'Multi1155' | 'PairFactory' | 'Pair' | 'Payout')
  | ('PoolFactory' | 'Pool' | 'LegacyToken' | 'LegacyBridge' | 'Testimony' | 'TradingCards')
  | ('Savings' | 'SavingsTwo' | 'SavingsProxy' | 'Escrow' | 'SharedWallet' | 'NameBook');

const sourcesDir = join(import.meta.dirname, 'contracts');
const cacheDir = join(import.meta.dirname, '../node_modules/.cache/cordscan');

interface Artifact {
  abi: InterfaceAbi;
  bytecode: string;
}

/** @throws Error with the compiler's messages */
export function compileContracts(): Promise<Record<ContractName, Contract>> {
  return compileFolder(sourcesDir) as Promise<Record<ContractName, Contract>>;
}

/** Compiles a folder of contracts. Caches results by a hash of the sources. */
export async function compileFolder(sourcesDir: string): Promise<Record<string, Contract>> {
  const sources = await readSources(sourcesDir);
  const key = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16);
  const cached = join(cacheDir, `contracts-${key}.json`);
  const artifacts = await readFile(cached, 'utf8').then(
    (text) => JSON.parse(text) as Record<string, Artifact>,
    () => undefined,
  );
  const compiled = artifacts ?? compile(sources);
  if (!artifacts) {
    await mkdir(cacheDir, { recursive: true });
    await writeFile(`${cached}.${process.pid}`, JSON.stringify(compiled));
    await rename(`${cached}.${process.pid}`, cached);
  }
  const contracts = Object.entries(compiled).map(([name, { abi, bytecode }]) => [
    name,
    { abi: new Interface(abi), bytecode },
  ]);
  return Object.fromEntries(contracts) as Record<string, Contract>;
}

async function readSources(folder: string): Promise<Record<string, { content: string }>> {
  const files = (await readdir(folder)).sort();
  const read = async (file: string) => [file, { content: await readFile(join(folder, file), 'utf8') }] as const;
  return Object.fromEntries(await Promise.all(files.map(read)));
}

const settings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'paris' };

/** Returns solc's standard JSON input for the dev contracts, without an output selection. */
export async function readDevInput() {
  return { language: 'Solidity' as const, sources: await readSources(sourcesDir), settings };
}

export function creationCode({ abi, bytecode }: Contract, args: readonly unknown[]): string {
  return concat([bytecode, AbiCoder.defaultAbiCoder().encode(abi.deploy.inputs, args)]);
}

interface SolcOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: InterfaceAbi; evm: { bytecode: { object: string } } }>>;
}

function compile(sources: Record<string, { content: string }>): Record<string, Artifact> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources,
    settings: { ...settings, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const errors = output.errors?.filter((error) => error.severity === 'error') ?? [];
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  return Object.fromEntries(
    Object.values(output.contracts).flatMap((contracts) =>
      Object.entries(contracts).map(
        ([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }] as const,
      ),
    ),
  );
}
