import type { Rule } from './rule.ts';

const withdrawals = 'test/e2e/withdrawals.test.ts';
const sender = 'test/e2e/withdrawal-sender.test.ts';

export const depositRules: readonly Rule[] = [
  {
    rule: '13 a transfer is reported as creditable once per reader',
    file: 'api/read/deposits/ripening.ts',
    from: 'return wasRipe ? undefined : ripe;',
    to: 'void wasRipe;\n    return ripe;',
    test: 'test/property/ripening.test.ts',
    match: 'C13: each once*',
  },
  {
    rule: '14 an order is not paid again after a replacement paid it',
    file: 'integrator/withdrawal-sender.ts',
    from: 'if (rival.status === 1 && rival.to === payout.to && rival.value === payout.value) {',
    to: 'if (rival.status > 1) {',
    test: sender,
    match: 'C14: a replacement that paid the same*',
  },
  {
    rule: '14 receipts are read from the writer node and from the read pool',
    file: 'integrator/withdrawal-sender.ts',
    from: 'await Promise.all([writer, pool].map(',
    to: 'await Promise.all([writer, pool && writer].map(',
    test: sender,
    match: 'C14: a replacement that paid the same*',
  },
  {
    rule: '15 the bytes of a withdrawal are the canonical encoding for its hash',
    file: 'api/read/deposits/withdrawals.ts',
    from: 'if (keccak256(raw) !== hash || transaction.serialized !== raw.toLowerCase())',
    to: "if (keccak256(raw) === '')",
    test: withdrawals,
    match: 'C15: bytes*',
  },
  {
    rule: '15 a signature with a high s is rejected',
    file: 'api/read/deposits/withdrawals.ts',
    from: 'if (BigInt(signature._s) > maxLowS)',
    to: 'if (BigInt(signature._s) > maxLowS * 4n)',
    test: withdrawals,
    match: 'C15: bytes*',
  },
  {
    rule: '15 of several withdrawals registered at once for one nonce, only one is accepted',
    file: 'api/routes/withdrawals/withdrawals.ts',
    from: '  await claimNonce(deps, stored);\n',
    to: '  void claimNonce;\n',
    test: withdrawals,
    match: 'C15: of rivals*',
  },
  {
    rule: '15 only the owner may broadcast a withdrawal for the first time',
    file: 'api/routes/withdrawals/withdrawals.ts',
    from: 'known.broadcastMs === 0 && !isOwner(known, requester)',
    to: 'known.broadcastMs === 1 && !isOwner(known, requester)',
    test: withdrawals,
    match: 'dropped, replaced*',
  },
  {
    rule: '15 sender and nonce of a hash come from the chain, not from the client',
    file: 'api/routes/withdrawals/withdrawals.ts',
    from: 'if ((shown.sender ?? one.sender) !== claimed.sender || (shown.nonce ?? one.nonce) !== claimed.nonce)',
    to: 'if (shown.sender === claimed.hash)',
    test: withdrawals,
    match: 'C15: what the chain*',
  },
  {
    rule: '16 a verdict stays pending while a source does not answer',
    file: 'api/read/deposits/verdict.ts',
    from: "one?.source === 'unavailable' ? [name] : []",
    to: "one?.source === 'ok' && name === '' ? [name] : []",
    test: 'test/unit/verdict.test.ts',
  },
];
