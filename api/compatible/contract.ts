/** Actions about contracts. The index has contract creations, but no contract sources. @source docs/compatible.md */
import { hexDigits } from '#chain/codec/hex.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import type { BinaryRowOf } from '#sql/statement-types.ts';
import { isTraced, type TracedReader } from '../read/accounts/internal-calls/traced-reader.ts';
import type { CoverageDeps, SnapshotDeps, StoreDeps } from '../read/reader-deps.ts';
import { type CompatibleAction, CompatibleError, noRecords } from './action.ts';
import { assertWhole } from './covered.ts';
import { pageWindow, parseAddress, parseAddresses } from './parameters.ts';

const maxContracts = 5;
const notVerified = 'Contract source code not verified';

type Creation = BinaryRowOf<'contract_creations'>;
type InternalCreation = BinaryRowOf<'internal_creations'>;

export interface CreationDeps extends SnapshotDeps, StoreDeps {
  readonly traced: TracedReader;
}

/**
 * Returns who created contracts. If a contract created another one, this is known only in traced blocks.
 * @throws CompatibleError if no creation is found, but an untraced block may contain it
 */
export const contractCreations: CompatibleAction<CreationDeps> = ({ deps, parameters }) => {
  const contracts = parseAddresses(parameters, 'contractaddresses', maxContracts);
  return deps.snapshots.run(async (state) => {
    const bound = { ...snapshotParameters(state), addresses: contracts.map(hexDigits) };
    const [direct, internal, ranges] = await Promise.all([
      deps.database.readBinary('contract_creations', bound),
      deps.database.readBinary('internal_creations', bound),
      deps.traced.ranges(state),
    ]);
    const rows = new Map<string | null, object>();
    for (const row of internal) rows.set(row.contract_address, internalRow(row));
    for (const row of direct) rows.set(row.contract_address, directRow(row));
    const found = contracts.flatMap((address) => rows.get(address) ?? []);
    if (found.length > 0) return found;
    if (!isTraced(ranges, state, state.startBlock, state.head))
      throw new CompatibleError(
        'No transaction created this contract. Creations by other contracts are known only where blocks are traced (TRACES=on)',
      );
    throw noRecords();
  });
};

const commonRow = ({ contract_address, hash, block_number, timestamp }: Creation | InternalCreation) => ({
  contractAddress: contract_address,
  txHash: hash,
  blockNumber: block_number,
  timestamp: String(timestamp),
});

const directRow = (row: Creation) => ({
  ...commonRow(row),
  contractCreator: row.from,
  contractFactory: '',
  creationBytecode: row.input,
});

/** Row of a contract that a contract created: the index does not have its init code. */
const internalRow = (row: InternalCreation) => ({
  ...commonRow(row),
  contractCreator: row.sender,
  contractFactory: row.contract_factory,
  creationBytecode: '',
});

const defaultRows = 10;

/** Lists the contracts that transactions created, but not those that contracts created. */
export const listContracts: CompatibleAction<SnapshotDeps & StoreDeps & CoverageDeps> = ({ deps, parameters }) => {
  const filter = parameters.get('filter')?.trim().toLowerCase() || '0';
  if (!/^(0|1|2|3|verified|unverified|empty)$/.test(filter))
    throw new CompatibleError('Error! filter must be verified, unverified, empty, 1, 2 or 3');
  const { skip, limit } = pageWindow(parameters, defaultRows);
  return deps.snapshots.run(async (state) => {
    assertWhole(deps, state);
    if (filter === 'verified' || filter === '1' || filter === 'empty' || filter === '3') return [];
    const rows = await deps.database.readBinary('contracts_in_order', { ...snapshotParameters(state), skip, limit });
    return rows.map(({ address }) => ({ Address: address, ABI: notVerified }));
  });
};

export const contractAbi: CompatibleAction = async ({ parameters }) => {
  parseAddress(parameters);
  throw new CompatibleError(notVerified);
};

/** Returns a row with empty source fields, because clients do not expect an error for an unverified contract. */
export const contractSource: CompatibleAction = async ({ parameters }) => {
  parseAddress(parameters);
  const texts = [
    'ContractName',
    'CompilerVersion',
    'CompilerType',
    'ContractFileName',
    'OptimizationUsed',
    'Runs',
    'ConstructorArguments',
  ] as const;
  const more = ['Library', 'LicenseType', 'Implementation', 'SwarmSource', 'SimilarMatch'] as const;
  const empty = Object.fromEntries([...texts, ...more].map((name) => [name, '']));
  return [{ SourceCode: '', ABI: notVerified, ...empty, EVMVersion: 'Default', Proxy: '0' }];
};

export const verifyContract: CompatibleAction = async () => {
  throw new CompatibleError('Fail - Unable to verify');
};
