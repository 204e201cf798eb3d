/** module=contract: creations from the index; sources are not held here, which is said in the words that clients know. @source conventions 2.6 */
import { hexDigits } from '#chain/codec/hex.ts';
import { snapshotParameters } from '#sql/snapshot.ts';
import { getStatement } from '#sql/statements.ts';
import { type CompatibleAction, CompatibleError, noRecords } from './action.ts';
import { addressesOf, addressOf } from './parameters.ts';

const maxContracts = 5;
const notVerified = 'Contract source code not verified';

interface CreationRecord {
  contract_address: string;
  from: string;
  hash: string;
  block_number: string;
  timestamp: number;
  input: string;
}

/** Contracts that transactions created, in the order that was asked for; those created by other contracts are left out. */
export const contractCreations: CompatibleAction = ({ deps, parameters }) => {
  const contracts = addressesOf(parameters, 'contractaddresses', maxContracts);
  return deps.snapshots.run(async (state) => {
    const rows = await deps.database.readBinary<CreationRecord>(getStatement(deps.statements, 'contract_creations'), {
      ...snapshotParameters(state),
      addresses: contracts.map(hexDigits),
    });
    const found = contracts.flatMap((address) => rows.find((row) => row.contract_address === address) ?? []);
    if (found.length === 0) throw noRecords();
    return found.map((row) => ({
      contractAddress: row.contract_address,
      contractCreator: row.from,
      txHash: row.hash,
      blockNumber: row.block_number,
      timestamp: String(row.timestamp),
      contractFactory: '',
      creationBytecode: row.input,
    }));
  });
};

export const contractAbi: CompatibleAction = async ({ parameters }) => {
  addressOf(parameters);
  throw new CompatibleError(notVerified);
};

/** An unverified contract is an answer, not an error. */
export const contractSource: CompatibleAction = async ({ parameters }) => {
  addressOf(parameters);
  const texts = ['ContractName', 'CompilerVersion', 'OptimizationUsed', 'Runs', 'ConstructorArguments'] as const;
  const more = ['Library', 'LicenseType', 'Implementation', 'SwarmSource', 'SimilarMatch'] as const;
  const empty = Object.fromEntries([...texts, ...more].map((name) => [name, '']));
  return [{ SourceCode: '', ABI: notVerified, ...empty, EVMVersion: 'Default', Proxy: '0' }];
};

/** Sources are not taken. */
export const verifyContract: CompatibleAction = async () => {
  throw new CompatibleError('Fail - Unable to verify');
};
