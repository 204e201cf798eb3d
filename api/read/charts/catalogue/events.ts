import { active, type Chart, count, distinct, firsts, flow, fresh, growth, logs } from '../chart.ts';

export const eventCharts: readonly Chart[] = [
  flow(
    [
      'tokenTransfers',
      'tokens',
      'Token transfers',
      null,
      'TOKEN-20, ERC-721 and ERC-1155 transfers; each item of a batch counts',
    ],
    count('token_transfer_count'),
    logs,
  ),
  growth(
    ['tokenTransfersGrowth', 'tokens', 'Token transfers in total', null, 'Token transfers up to the end of the bucket'],
    count('token_transfer_count'),
    logs,
  ),
  flow(
    ['token20Transfers', 'tokens', 'TOKEN-20 transfers', null, 'Transfers of TOKEN-20 tokens'],
    count('erc20_transfer_count'),
    { ...logs, aliases: ['tokenerc-20txns'] },
  ),
  distinct(
    ['activeTokenSenders', 'tokens', 'Active TOKEN-20 senders', null, 'Distinct addresses that sent TOKEN-20 tokens'],
    active('token_sender'),
    logs,
  ),

  flow(
    [
      'newContracts',
      'contracts',
      'New contracts',
      null,
      'Contracts created by successful transactions, without contracts created by contracts',
    ],
    count('creation_count'),
    { aliases: ['deployed-contracts'] },
  ),
  growth(
    [
      'contractsGrowth',
      'contracts',
      'Contracts in total',
      null,
      'Contracts created by transactions up to the end of the bucket',
    ],
    count('creation_count'),
  ),

  flow(
    [
      'newUserOps',
      'user_ops',
      'User operations',
      null,
      'ERC-4337 user operations, from the events of all entry points',
    ],
    count('user_op_count'),
    logs,
  ),
  growth(
    ['userOpsGrowth', 'user_ops', 'User operations in total', null, 'User operations up to the end of the bucket'],
    count('user_op_count'),
    logs,
  ),
  distinct(
    [
      'activeAccountAbstractionWallets',
      'user_ops',
      'Active smart wallets',
      null,
      'Distinct senders of user operations',
    ],
    active('wallet'),
    logs,
  ),
  firsts(
    [
      'newAccountAbstractionWallets',
      'user_ops',
      'New smart wallets',
      null,
      'Addresses that sent their first user operation',
    ],
    'wallet',
    logs,
  ),
  growth(
    [
      'accountAbstractionWalletsGrowth',
      'user_ops',
      'Smart wallets in total',
      null,
      'Distinct senders of user operations up to the end of the bucket',
    ],
    fresh('wallet'),
    logs,
  ),
  distinct(
    ['activeBundlers', 'user_ops', 'Active bundlers', null, 'Distinct senders of transactions with user operations'],
    active('bundler'),
    { tables: ['transactions', 'logs'] },
  ),
  distinct(
    ['activePaymasters', 'user_ops', 'Active paymasters', null, 'Distinct paymasters of user operations'],
    active('paymaster'),
    logs,
  ),

  flow(['logs', 'network', 'Event logs', null, 'Logs emitted by all contracts'], count('log_count'), logs),
];
