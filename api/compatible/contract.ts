/** Actions that read contracts: creations from the index, and verified source code. @source docs/compatible.md */
import { snapshotParameters } from '#sql/snapshot.ts';
import { isTraced, type TracedDeps } from '../read/accounts/internal-calls/traced-reader.ts';
import type { Creations, DirectCreation, InternalCreation } from '../read/contracts/creations.ts';
import { type ContractSource, readSource, toCompilerInput } from '../read/contracts/read-source.ts';
import type { VerifiedContracts } from '../read/contracts/verified-contracts.ts';
import type { CoverageDeps, NodeDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import { type CompatibleAction, CompatibleError, noRecords } from './action.ts';
import { assertFirstBlocks, assertNewest, assertWhole } from './covered.ts';
import { pageWindow, parseAddress, parseAddresses } from './parameters.ts';

const maxContracts = 5;
const notVerified = 'Contract source code not verified';

export type CreationDeps = SnapshotDeps & CoverageDeps & TracedDeps & { readonly creations: Creations };

/**
 * A creation by another contract is known only in traced blocks.
 * @throws CompatibleError if a creation is not found, but a missing or untraced block may contain it
 */
export const contractCreations: CompatibleAction<CreationDeps> = ({ deps, parameters }) => {
  const contracts = parseAddresses(parameters, 'contractaddresses', maxContracts);
  return deps.snapshots.run(async (state) => {
    const [creations, ranges] = await Promise.all([deps.creations.of(state, contracts), deps.traced.ranges(state)]);
    const unknown = contracts.filter((_, i) => !creations[i]?.direct && !creations[i]?.internal);
    if (unknown.length > 0) {
      assertNewest(deps, state, state.startBlock);
      assertFirstBlocks(state, `No creation of ${unknown.join(', ')} found`);
    }
    if (unknown.length > 0 && !isTraced(ranges, state, state.startBlock, state.head))
      throw new CompatibleError(
        `No transaction created ${unknown.join(', ')}. Creations by other contracts are known only where blocks are traced (TRACES)`,
      );
    if (unknown.length === contracts.length) throw noRecords();
    return creations.flatMap((creation) => {
      if (creation?.direct) return directRow(creation.direct);
      return creation?.internal ? internalRow(creation.internal) : [];
    });
  });
};

const commonRow = ({ contract_address, hash, block_number, timestamp }: DirectCreation | InternalCreation) => ({
  contractAddress: contract_address,
  txHash: hash,
  blockNumber: block_number,
  timestamp: String(timestamp),
});

const directRow = (row: DirectCreation) => ({
  ...commonRow(row),
  contractCreator: row.from,
  contractFactory: '',
  creationBytecode: row.input,
});

/** Returns the row of a contract created by another contract. Its init code is unknown. */
const internalRow = (row: InternalCreation) => ({
  ...commonRow(row),
  contractCreator: row.sender,
  contractFactory: row.contract_factory,
  creationBytecode: '',
});

/** Default and maximum rows. Each row may contain a large ABI. */
const pageRows = { fallback: 10, most: 1_000, worksAlone: true };

export interface VerifiedDeps extends NodeDeps {
  readonly verified: VerifiedContracts;
}

/** Verified contracts, or contracts that transactions created. */
export const listContracts: CompatibleAction<SnapshotDeps & StoreDeps & CoverageDeps & VerifiedDeps> = async ({
  deps,
  parameters,
}) => {
  const filter = parameters.get('filter')?.trim().toLowerCase() || '0';
  if (!/^(0|1|2|3|verified|unverified|empty)$/.test(filter))
    throw new CompatibleError('Error! filter must be verified, unverified, empty, 1, 2 or 3');
  const { skip, limit } = pageWindow(parameters, pageRows);
  const describe = async (addresses: readonly string[]) => {
    const known = await deps.verified.interfaces(addresses);
    const getAbi = (address: string) => known.get(address)?.abi;
    return addresses.map((address) => {
      const abi = getAbi(address);
      return { Address: address, ABI: abi ? JSON.stringify(abi) : notVerified };
    });
  };
  if (filter === 'verified' || filter === '1')
    return describe((await deps.verified.list(limit, skip)).map(({ address }) => address));
  return deps.snapshots.run(async (state) => {
    assertFirstBlocks(state, 'Contracts are known');
    assertWhole(deps, state);
    if (filter === 'empty' || filter === '3') return [];
    const only_unverified = filter === 'unverified' || filter === '2' ? 1 : 0;
    const bound = { ...snapshotParameters(state), skip, limit, only_unverified };
    const rows = await deps.database.readBinary('contracts_in_order', bound);
    if (rows.length < limit) assertNewest(deps, state, state.startBlock);
    return describe(rows.map(({ address }) => address));
  });
};

export const contractAbi: CompatibleAction<VerifiedDeps> = async ({ deps, parameters }) => {
  const source = await readSource(deps, parseAddress(parameters));
  if (!source) throw new CompatibleError(notVerified);
  return JSON.stringify(source.contract.abi);
};

/** An unverified contract gets empty source fields, because clients do not expect an error. */
export const contractSource: CompatibleAction<VerifiedDeps> = async ({ deps, parameters }) => {
  const address = parseAddress(parameters);
  const source = await readSource(deps, address);
  return [source ? sourceRow(source) : emptySourceRow];
};

const textFields = [
  ...(['ContractName', 'CompilerVersion', 'CompilerType', 'ContractFileName', 'OptimizationUsed', 'Runs'] as const),
  ...(['ConstructorArguments', 'Library', 'LicenseType', 'Implementation', 'SwarmSource', 'SimilarMatch'] as const),
];
const emptySourceRow = {
  SourceCode: '',
  ABI: notVerified,
  ...Object.fromEntries(textFields.map((name) => [name, ''])),
  EVMVersion: 'Default',
  Proxy: '0',
};

function sourceRow({ contract, proxy, similarTo }: ContractSource) {
  const { settings, sources } = contract as { settings: CompilerSettings; sources: Record<string, string> };
  const [single, ...others] = Object.values(sources);
  const isSingle = contract.inputKind === 'single-file' && single !== undefined && others.length === 0;
  return {
    SourceCode: isSingle ? single : `{${JSON.stringify(toCompilerInput(contract))}}`,
    ABI: JSON.stringify(contract.abi),
    ContractName: contract.name,
    CompilerVersion: `v${contract.compilerVersion}`,
    CompilerType: contract.language === 'Vyper' ? 'vyper' : 'solc',
    ContractFileName: contract.path,
    OptimizationUsed: settings.optimizer?.enabled ? '1' : '0',
    Runs: String(settings.optimizer?.runs ?? 200),
    ConstructorArguments: similarTo === undefined ? contract.constructorArguments : '',
    EVMVersion: settings.evmVersion ?? 'Default',
    Library: Object.entries(similarTo === undefined ? contract.libraries : {})
      .map(([name, address]) => `${name}:${address}`)
      .join(';'),
    LicenseType: contract.license,
    Proxy: proxy ? '1' : '0',
    Implementation: proxy?.implementations[0] ?? '',
    SwarmSource: '',
    SimilarMatch: similarTo ?? '',
  };
}

interface CompilerSettings {
  readonly optimizer?: { readonly enabled?: boolean; readonly runs?: number };
  readonly evmVersion?: string;
}
