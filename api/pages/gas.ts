import type { z } from 'zod';
import { grouped } from '../drawing/grouped.ts';
import { html } from '../drawing/html.ts';
import { getGasOracle } from '../routes/network/get-gas-oracle.ts';
import { callRoute, type RouteDeps } from './ask.ts';
import { definePage } from './page.ts';
import { chartFigure } from './parts/chart.ts';
import { figures } from './parts/facts.ts';
import { coinAmount, counted, gwei, percent } from './parts/number.ts';
import { table } from './parts/table.ts';
import { worth } from './parts/worth.ts';
import { type ChartDeps, recentChart } from './recent-charts.ts';

type Oracle = z.infer<typeof getGasOracle.response>;

/** Typical gas of common actions on EVM chains. */
const actions = [
  ['Transfer of coins', 21_000],
  ['Transfer of a token (ERC-20)', 65_000],
  ['Transfer of an NFT (ERC-721)', 85_000],
  ['Swap in a pool', 180_000],
] as const;
const charts = ['averageGasPrice', 'networkUtilization'] as const;

export const gasPage = definePage({
  id: 'gas',
  path: '/gas',
  maxAgeSeconds: 1,
  handle: async (deps: RouteDeps<typeof getGasOracle> & ChartDeps, { coin }) => {
    const [oracle, ...drawn] = await Promise.all([
      callRoute(deps, getGasOracle),
      ...charts.map((chart) => recentChart(deps, chart)),
    ]);
    const { baseFee, nextBaseFee, gasUsedRatio, lastBlock, window, index } = oracle;
    const used = gasUsedRatio.reduce((sum, ratio) => sum + ratio, 0) / Math.max(1, gasUsedRatio.length);
    const body = html`<h1>Gas</h1><div id="state" data-live>${figures([
      ['Slow', perGas(oracle, 'slow'), wait(oracle, 'slow')],
      ['Average', perGas(oracle, 'average'), wait(oracle, 'average')],
      ['Fast', perGas(oracle, 'fast'), wait(oracle, 'fast')],
      ['Base fee', baseFee === null ? 'none' : gwei(baseFee), `of block ${grouped(lastBlock)}`],
      ['Next base fee', nextBaseFee === null ? 'none' : gwei(nextBaseFee), 'by the rule of EIP-1559'],
      ['Blocks filled', percent(used), `mean of ${counted(gasUsedRatio.length, 'block')}`],
    ])}<p class="muted">A price is the next base fee plus a tip, computed from ${counted(window.transactions, 'transaction')} of the newest ${counted(window.blocks, 'block')}. Set the maximum fee higher, because the base fee can rise by an eighth per block.${oracle.slow.estSeconds !== null && oracle.slow.estSeconds === oracle.fast.estSeconds && ' Blocks have free gas: a higher tip does not speed up transactions now.'}</p>
<h2>What it costs</h2>${table({
      caption: 'Costs of common actions',
      rows: actions,
      empty: '',
      columns: [
        { title: 'Action', cell: ([name]) => name },
        { title: 'Gas, typical', isNumber: true, cell: ([, gas]) => gas.toLocaleString('en-US') },
        ...(['slow', 'average', 'fast'] as const).map((speed) => ({
          title: speedNames[speed],
          isNumber: true,
          cell: ([, gas]: (typeof actions)[number]) => {
            const cost = String(getPrice(oracle, speed) * BigInt(gas));
            return html`${coinAmount(cost, coin)}${worth(cost)}`;
          },
        })),
      ],
    })}</div>${drawn.map((chart) => html`<h2><a href="/charts/${chart.chart.id}">${chart.chart.title}</a></h2>${chartFigure(chart)}`)}`;
    return { title: 'Gas', index, body };
  },
});

const speedNames = { slow: 'Slow', average: 'Average', fast: 'Fast' } as const;

type Speed = 'slow' | 'average' | 'fast';

const getPrice = ({ nextBaseFee, ...speeds }: Oracle, speed: Speed): bigint =>
  BigInt(nextBaseFee ?? 0) + BigInt(speeds[speed].maxPriorityFeePerGas);

const perGas = (oracle: Oracle, speed: Speed) => gwei(String(getPrice(oracle, speed)));

function wait(oracle: Oracle, speed: Speed) {
  const { estSeconds, maxPriorityFeePerGas } = oracle[speed];
  const time = estSeconds === null ? 'waiting time unknown' : `about ${Math.max(1, Math.round(estSeconds))} s`;
  return html`${time}, tip ${gwei(maxPriorityFeePerGas)}`;
}
