/** Rules of deposits and withdrawals, and the tests that notice when they are missing. */
import type { Rule } from './rule.ts';

const withdrawals = 'test/e2e/withdrawals.test.ts';
const sender = 'test/e2e/withdrawal-sender.test.ts';

export const depositRules: readonly Rule[] = [
  {
    rule: '13 a transfer becomes creditable once for every reader',
    file: 'api/read/deposits/ripening.ts',
    from: 'return wasRipe ? undefined : ripe;',
    to: 'void wasRipe;\n    return ripe;',
    test: 'test/property/ripening.test.ts',
    match: 'C13: each once*',
  },
  {
    rule: '14 a rival that paid the same order is not paid again',
    file: 'integrator/withdrawal-sender.ts',
    from: 'if (rival.status === 1 && rival.to === payout.to && rival.value === payout.value) {',
    to: 'if (rival.status > 1) {',
    test: sender,
    match: 'C14: a replacement that paid the same*',
  },
  {
    rule: '14 receipts are read from the read pool too',
    file: 'integrator/withdrawal-sender.ts',
    from: 'await Promise.all([writer, pool].map(',
    to: 'await Promise.all([writer, pool && writer].map(',
    test: sender,
    match: 'C14: a replacement that paid the same*',
  },
  {
    rule: '15 bytes of a withdrawal are the one encoding of their hash',
    file: 'api/read/deposits/withdrawals.ts',
    from: 'if (keccak256(raw) !== hash || transaction.serialized !== raw.toLowerCase())',
    to: "if (keccak256(raw) === '')",
    test: withdrawals,
    match: 'C15: bytes*',
  },
  {
    rule: '15 a signature with a high s is refused',
    file: 'api/read/deposits/withdrawals.ts',
    from: 'if (BigInt(signature._s) > maxLowS)',
    to: 'if (BigInt(signature._s) > maxLowS * 4n)',
    test: withdrawals,
    match: 'C15: bytes*',
  },
  {
    rule: '15 of rivals that come at once one is taken',
    file: 'api/routes/withdrawals/withdrawals.ts',
    from: '  await claimNonce(deps, stored);\n',
    to: '  void claimNonce;\n',
    test: withdrawals,
    match: 'C15: of rivals*',
  },
  {
    rule: '15 what was never broadcast is its owner’s to broadcast',
    file: 'api/routes/withdrawals/withdrawals.ts',
    from: 'known.broadcastMs === 0 && !isOwner(known, requester)',
    to: 'known.broadcastMs === 1 && !isOwner(known, requester)',
    test: withdrawals,
    match: 'dropped, replaced*',
  },
  {
    rule: '15 what the chain shows of a hash outweighs what is told',
    file: 'api/routes/withdrawals/withdrawals.ts',
    from: 'if ((shown.sender ?? one.sender) !== claimed.sender || (shown.nonce ?? one.nonce) !== claimed.nonce)',
    to: 'if (shown.sender === claimed.hash)',
    test: withdrawals,
    match: 'C15: what the chain*',
  },
  {
    rule: '16 a source that is silent keeps a verdict waiting',
    file: 'api/read/deposits/verdict.ts',
    from: "one?.source === 'unavailable' ? [name] : []",
    to: "one?.source === 'ok' && name === '' ? [name] : []",
    test: 'test/unit/verdict.test.ts',
  },
];
