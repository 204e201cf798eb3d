import type { DevChain } from '#devchain/devchain.ts';
import type { Random } from '#devchain/random.ts';
import { type ModelBlock, type ModelTx, readChainModel } from '#test/helpers/chain-model.ts';
import type { RunningApi } from '#test/helpers/service.ts';

class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

export function assertRight(isRight: boolean, text: string): asserts isRight {
  if (!isRight) throw new WrongAnswer(text);
}

// biome-ignore lint/suspicious/noExplicitAny: replies are checked field by field
type Row = any;

const requiredDepth = 20;
const pageRows = 100;

export interface Tally {
  answered: number;
  refused: number;
}

export class Look {
  readonly #byHash: Map<string, ModelTx>;
  readonly api: RunningApi;
  readonly blocks: readonly ModelBlock[];
  /** Highest block that may be reported as certain. Above it, the service must return an error or mark the reply. */
  readonly reliable: number;
  readonly tally: Tally;
  /** Two endpoints are on different branches, so the index may go back. */
  readonly mayMove: boolean;

  private constructor(
    api: RunningApi,
    blocks: readonly ModelBlock[],
    reliable: number,
    tally: Tally,
    mayMove: boolean,
  ) {
    this.api = api;
    this.blocks = blocks;
    this.reliable = reliable;
    this.tally = tally;
    this.mayMove = mayMove;

    this.#byHash = new Map(blocks.flatMap(({ txs }) => txs.map((tx) => [tx.hash, tx])));
  }

  static async take(
    { api, chain, tally }: { api: RunningApi; chain: DevChain; tally: Tally },
    head: number,
    reliable: number,
    mayMove: boolean,
  ): Promise<Look> {
    return new Look(api, await readChainModel(chain.rpc, head), reliable, tally, mayMove);
  }

  get transactions(): ReadonlyMap<string, ModelTx> {
    return this.#byHash;
  }

  #of(account: string, through: number, alsoByLogs = false): ModelTx[] {
    const blocks = this.blocks.slice(0, through + 1);
    const own = blocks.flatMap(({ logs }) => logs.filter(({ address }) => address === account));
    const byLogs = new Set(alsoByLogs ? own.map(({ txHash }) => txHash) : []);
    const isOf = (tx: ModelTx) => [tx.from, tx.to, tx.created].includes(account) || byLogs.has(tx.hash);
    return blocks.flatMap(({ txs }) => txs.filter(isOf));
  }

  async check(random: Random, gone: readonly ModelTx[]): Promise<void> {
    const all = [...this.#byHash.values()];
    const accounts = [random.pick(all).from, random.pick(all).to ?? random.pick(all).from];
    for (const account of accounts) {
      await this.#checkHistory(account);
      await this.#checkCompatible(account);
    }
    await this.#checkLogs(random);
    await this.#checkExport();
    const sure = all.filter((tx) => tx.block <= this.reliable && tx.value > 0n && tx.to);
    for (const some of [sure, gone]) if (some.length > 0) await this.#checkVerdict(random.pick(some));
  }

  async #checkHistory(account: string): Promise<void> {
    const seen: Row[] = [];
    let [coverage, index]: Row[] = [];
    let through = this.reliable;
    for (let cursor = ''; ; ) {
      const { status, body } = await this.api.get(
        `/api/v1/accounts/${account}/transactions?limit=${pageRows}${cursor && `&cursor=${cursor}`}`,
      );
      if (status !== 200) return void this.tally.refused++;
      seen.push(...body.transactions);
      ({ coverage, index } = body);
      if (this.mayMove) through = Math.min(through, index.head);
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    this.tally.answered++;
    const sure = seen.filter((row) => row.blockNumber <= through);
    const expected = outside(coverage, this.#of(account, through, true)).map((tx) => tx.hash);
    assertSame(
      sure.map((row) => row.txHash),
      expected,
      `history of ${account} through ${through}`,
    );
    const doubtful = seen.filter((row) => row.blockNumber > this.reliable);
    assertRight(
      doubtful.every((row) => row.blockNumber >= index.doubtedFrom) && !(doubtful.length > 0 && coverage.complete),
      `${doubtful.length} rows above ${this.reliable} are not marked: ${JSON.stringify(index)}`,
    );
    if (coverage.complete)
      assertRight(coverage.to <= this.reliable, `complete to ${coverage.to}, known only to ${this.reliable}`);
  }

  async #checkCompatible(account: string): Promise<void> {
    const head = this.blocks.length - 1;
    for (const end of [String(head), '99999999', String(this.reliable)]) {
      const query = `module=account&action=txlist&address=${account}&startblock=0&endblock=${end}&sort=asc`;
      const { body, headers } = await this.api.get(`/api?${query}&page=1&offset=10000`);
      const isEmpty = /^No transactions found/.test(body.message);
      if (body.status !== '1' && !isEmpty) {
        this.tally.refused++;
        continue;
      }
      this.tally.answered++;
      const through = end === '99999999' ? Number(headers.get('x-index-head')) : Number(end);
      assertRight(through <= this.reliable, `/api answers through ${through}, known only to ${this.reliable}`);
      assertSame(
        body.result.map((row: Row) => row.hash),
        this.#of(account, through).map((tx) => tx.hash),
        `txlist of ${account} through ${end}`,
      );
    }
  }

  async #checkLogs(random: Random): Promise<void> {
    const head = this.blocks.length - 1;
    const from = random.between(Math.max(0, head - 80), head);
    const { body } = await this.api.get(
      `/api?module=logs&action=getLogs&fromBlock=${from}&toBlock=${head}&page=1&offset=1000`,
    );
    if (body.status !== '1' && !/^No records found/.test(body.message)) return void this.tally.refused++;
    this.tally.answered++;
    assertRight(head <= this.reliable, `getLogs answers through ${head}, known only to ${this.reliable}`);
    const expected = this.blocks.slice(from).flatMap(({ logs }) => logs.map((log) => `${log.block}:${log.logIndex}`));
    const found = body.result.map((row: Row) => `${Number(row.blockNumber)}:${Number(row.logIndex)}`);
    assertSame(found, expected.slice(0, 1_000), `logs from ${from} to ${head}`);
  }

  async #checkExport(): Promise<void> {
    const { status, body } = await this.api.get('/api/v1/export/transactions');
    if (status !== 200) return void this.tally.refused++;
    const rows: Row[] = String(body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { certificate } = rows.pop();
    this.tally.answered++;
    assertRight(certificate.toBlock <= this.reliable, `an export reaches ${certificate.toBlock}`);
    const through = this.blocks.slice(0, certificate.toBlock + 1).flatMap(({ txs }) => txs);
    const expected = outside(certificate, through);
    assertSame(
      rows.map((row) => row.txHash),
      expected.map((tx) => tx.hash),
      `export ${JSON.stringify(certificate)}`,
    );
    assertRight(certificate.rows === rows.length, 'the certificate counts the rows');
  }

  async #checkVerdict({ hash, to, value }: ModelTx): Promise<void> {
    const { status, body } = await this.api.get(`/api/v1/deposits/verdict?tx=${hash}&to=${to}&minValue=1`);
    if (status !== 200 || body.verdict !== 'creditable') return void this.tally.refused++;
    this.tally.answered++;
    const truth = this.#byHash.get(hash);
    const isDeep = truth && this.blocks.length - 1 - truth.block >= requiredDepth;
    const isRight = isDeep && truth.status === 1 && value > 0n && truth.block <= this.reliable;
    assertRight(isRight === true, `${hash} is creditable`);
  }
}

function outside(answer: { gaps: { from: number; to: number }[]; complete: boolean }, txs: readonly ModelTx[]) {
  const { gaps, complete } = answer;
  assertRight(gaps.length === 0 || !complete, `complete beside gaps: ${JSON.stringify(answer)}`);
  return txs.filter(({ block }) => !gaps.some(({ from, to }) => block >= from && block <= to));
}

function assertSame(found: readonly string[], expected: readonly string[], what: string): void {
  const [have, want] = [[...found].sort(), [...expected].sort()];
  if (have.length === want.length && have.every((one, i) => one === want[i])) return;
  const [missing, more] = [want.filter((one) => !have.includes(one)), have.filter((one) => !want.includes(one))];
  throw new WrongAnswer(
    `${what}: ${have.length} of ${want.length}, ${missing.length} missing (${missing[0] ?? '-'}), ${more.length} too many (${more[0] ?? '-'})`,
  );
}
