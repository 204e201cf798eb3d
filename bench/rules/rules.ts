/**
 * Each safety rule of the data model, how it is taken out, and the test that must then fail. Not here: the hold below the
 * finalized height, which three checks guard one behind the other.
 */

export interface Rule {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
  /** Titles of the tests to run; default: all of the file. */
  readonly match?: string;
}

const reorgs = 'test/fault/reorgs.test.ts';
const visibility = 'test/e2e/visibility.test.ts';
const endpoints = 'test/fault/endpoints.test.ts';

export const rules: readonly Rule[] = [
  {
    rule: '1 pages leave doubles out',
    file: 'api/routes/paging.ts',
    from: 'if (isOther) rows.push(row);',
    to: 'rows.push(row);',
    test: 'test/e2e/long-chain.test.ts',
    match: 'rows that were inserted twice*',
  },
  {
    rule: '1 tables are keyed by content',
    file: 'sql/migrations/0005_address_roles.sql',
    from: 'ENGINE = ReplacingMergeTree',
    to: 'ENGINE = MergeTree',
    test: 'test/unit/schema.test.ts',
    match: 'rule 1*',
  },
  {
    rule: '2 a range that was started and not done is fetched again',
    file: 'pipeline/store/journal.ts',
    from: "state: row.state as JournalRange['state'],",
    to: "state: 'done' as JournalRange['state'],",
    test: 'test/fault/leftovers.test.ts',
    match: 'rule 2*',
  },
  {
    rule: '3 what the backfill has not completed is invisible',
    file: 'sql/fragments/visible.sql',
    from: 'bitOr(block_number < {backfilled_before:UInt64}, block_number >= {follow_from:UInt64})',
    to: 'bitOr({backfilled_before:UInt64} >= 0, {follow_from:UInt64} >= 0)',
    test: visibility,
    match: 'rule 3*',
  },
  {
    rule: '3 a request during which rows were taken away starts over',
    file: 'api/snapshot-reader.ts',
    from: 'return after.epoch === before.epoch && after.droppedThrough <= before.finalized;',
    to: 'return after.epoch >= 0 && before.epoch >= 0;',
    test: visibility,
    match: 'rules 3 and 5*',
  },
  {
    rule: '3 a state that was seen before is used only while it is current',
    file: 'api/snapshot-reader.ts',
    from: 'if (seen?.state.version === guess.version) {',
    to: 'if (seen) {',
    test: visibility,
    match: 'a request sees every state*',
  },
  {
    rule: '3 unsettled rows in memory serve no state that has more of them',
    file: 'api/unsettled.ts',
    from: ' && known.floor <= state.finalized',
    to: '',
    test: 'test/integration/unsettled-blocks.test.ts',
    match: 'pages of both orders*',
  },
  {
    rule: '3 rows that a newer state hides stay in place while requests by the older one end',
    file: 'pipeline/store/chain-state-store.ts',
    from: 'await pause(readerGraceMs);',
    to: '',
    test: visibility,
    match: 'readers have time*',
  },
  {
    rule: '4 the two tiers never show together',
    file: 'sql/fragments/visible.sql',
    from: '    block_number > {finalized:UInt64}))',
    to: '    1))',
    test: visibility,
    match: 'rule 4*',
  },
  {
    rule: '4 what lies above the head is invisible',
    file: 'sql/fragments/visible.sql',
    from: '(block_number <= {head:UInt64} AND',
    to: '(block_number <= {head:UInt64} + 1000000 AND',
    test: visibility,
    match: 'rule 4*',
  },
  {
    rule: '4 the finalized height never goes down',
    file: 'pipeline/follow/finality.ts',
    from: 'return Math.max(previous, height, 0);',
    to: 'return Math.max(height, 0);',
    test: 'test/property/codecs.test.ts',
    match: 'finality*',
  },
  {
    rule: '5 orphaned rows go before the new branch comes',
    file: 'pipeline/follow/follower.ts',
    from: 'await removeUnsettled(deps, (block) => block > forkBlock);',
    to: '',
    test: reorgs,
    match: '*reorgs and reverts*',
  },
  {
    rule: '5 a branch is replaced from where both meet',
    file: 'pipeline/follow/find-fork.ts',
    from: 'if (window.at(parent)?.hash === parentHash)',
    to: 'if (window.at(parent))',
    test: reorgs,
    match: '*reorgs and reverts*',
  },
  {
    rule: '5 a revert to a shorter chain takes blocks away',
    file: 'pipeline/follow/follower.ts',
    from: 'await this.#replace(head.number, [], head.number);',
    to: '',
    test: reorgs,
    match: 'a pure revert*',
  },
  {
    rule: '5 an endpoint that is behind takes nothing away',
    file: 'pipeline/follow/follower.ts',
    from: 'if (head.number >= ours.number || endpointsHighest < ours.number) return;\n    if (!(await this.#isConfirmedLower(head))) return;',
    to: 'if (head.number >= ours.number) return;\n    void endpointsHighest;',
    test: endpoints,
    match: '*takes nothing away*',
  },
  {
    rule: '5 rows of a follower that was killed go before it follows again',
    file: 'pipeline/follow/open-follower.ts',
    from: 'await removeUnsettled(deps, (block) => block > head || block <= droppedThrough);',
    to: 'void head; void droppedThrough;',
    test: 'test/fault/leftovers.test.ts',
    match: 'rule 5*',
  },
  {
    rule: '6 an auditor finds and mends what is wrong',
    file: 'pipeline/jobs/audit.ts',
    from: 'export async function audit(',
    to: 'export async function audit(_: unknown) {\n  return true;\n}\nexport async function unusedAudit(',
    test: 'test/fault/crash.test.ts',
    match: 'the auditor*',
  },
  {
    rule: 'trust: an endpoint that keeps giving bad data rests',
    file: 'chain/rpc/endpoint.ts',
    from: 'this.#restUntil = Date.now() + Math.min(100 * 2 ** Math.min(this.#invalidInARow, 9), 30_000);',
    to: '',
    test: endpoints,
    match: '*first*bad receipts*',
  },
  {
    rule: 'trust: nothing is stored unchecked',
    file: 'chain/rpc/fetch-blocks.ts',
    from: 'const bundle = checkBundle(number, block as WireBlock | null, receipts as (WireReceipt | null)[] | null);',
    to: 'const bundle = { block: block as WireBlock, receipts: receipts as WireReceipt[] };\n      void checkBundle;',
    test: 'test/fault/fetch-faults.test.ts',
    match: '*null_block*',
  },
  {
    rule: 'trust: a block that nobody can serve is parked, the rest goes on',
    file: 'pipeline/backfill/fetch-ahead.ts',
    from: 'if (isData && attempt >= maxAttempts)',
    to: 'if (isData && attempt >= 1_000_000)',
    test: 'test/fault/fetch-faults.test.ts',
    match: 'a block that no endpoint*',
  },
  {
    rule: 'trust: blocks link to their neighbours in the journal',
    file: 'pipeline/backfill/store-stretch.ts',
    from: '      assertLinked(parentHash, parentTime, piece, journal);\n',
    to: '',
    test: 'test/fault/leftovers.test.ts',
    match: '*links*',
  },
];
