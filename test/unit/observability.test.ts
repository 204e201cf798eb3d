import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import test from 'ava';
import type { Registry } from 'prom-client';
import { parse } from 'yaml';
import { Metrics } from '#api/http/metrics.ts';
import { EdgeMetrics } from '#edge/metrics.ts';
import { PipelineMetrics } from '#pipeline/metrics.ts';
import { createLog } from '#runtime/log.ts';
import { Readiness } from '#runtime/metrics/readiness.ts';

const docs = join(import.meta.dirname, '../../docs/operations');

async function readSeries(registry: Registry): Promise<Map<string, Set<string>>> {
  const series = new Map<string, Set<string>>();
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    const { labelNames = [] } = registry.getSingleMetric(name) as unknown as { labelNames?: string[] };
    const labels = new Set([...labelNames, ...targetLabels]);
    const isHistogram = String(type) === 'histogram';
    if (isHistogram) {
      series.set(`${name}_bucket`, new Set([...labels, 'le']));
      for (const suffix of ['_sum', '_count']) series.set(name + suffix, labels);
    } else series.set(name, labels);
  }
  return series;
}

/** Labels that Prometheus adds to every series. */
const targetLabels = ['job', 'instance'];

async function allSeries(): Promise<Map<string, Set<string>>> {
  const parts = await Promise.all(
    [new Metrics(), new PipelineMetrics(), new EdgeMetrics()].map((m) => readSeries(m.registry)),
  );
  return new Map([...parts.flatMap((part) => [...part]), ['up', new Set(targetLabels)] as const]);
}

interface Asked {
  readonly names: string[];
  readonly labels: string[];
  readonly faults: number;
}

function read(expression: string): Asked {
  const asked: Asked & { faults: number } = { names: [], labels: [], faults: 0 };
  parser.parse(expression).iterate({
    enter: ({ type, from, to }) => {
      const text = expression.slice(from, to);
      if (type.isError) asked.faults++;
      if (type.name === 'Identifier') asked.names.push(text);
      if (type.name === 'LabelName') asked.labels.push(text);
    },
  });
  return asked;
}

const dashboard = JSON.parse(readFileSync(join(docs, 'dashboard.json'), 'utf8')) as {
  panels: { id: number; title: string; targets?: { expr: string; legendFormat: string }[] }[];
};
const rules = parse(readFileSync(join(docs, 'alerts.yml'), 'utf8')) as {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
};

test('every expression of dashboard and alerts parses and uses existing series and labels', async (t) => {
  const series = await allSeries();
  const panels = dashboard.panels.flatMap(({ title, targets }) =>
    (targets ?? []).map(({ expr, legendFormat }) => ({
      where: title,
      expr,
      shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!),
    })),
  );
  const alerts = rules.groups.flatMap((group) =>
    group.rules.map(({ alert, expr, annotations }) => ({
      where: alert,
      expr,
      shown: [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map((match) => match[1]!),
    })),
  );
  t.true(panels.length > 30 && alerts.length > 15);
  for (const { where, expr, shown } of [...panels, ...alerts]) {
    const { names, labels, faults } = read(expr);
    t.is(faults, 0, `${where}: ${expr} is no PromQL`);
    t.true(names.length > 0, where);
    t.deepEqual(
      names.filter((name) => !series.has(name)),
      [],
      `${where} asks for what nobody tells`,
    );
    const known = new Set(names.flatMap((name) => [...(series.get(name) ?? [])]));
    t.deepEqual(
      [...labels, ...shown].filter((label) => !known.has(label)),
      [],
      `${where} has labels that its series lack`,
    );
  }
  t.is(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  t.is(new Set(alerts.map(({ where }) => where)).size, alerts.length);
});

test('every metric of the service is on the dashboard or in an alert', async (t) => {
  const texts = JSON.stringify(dashboard) + JSON.stringify(rules);
  const unused = [...(await allSeries()).keys()]
    .filter((name) => name.startsWith('cordscan_') && !/_(sum|count|bucket)$/.test(name))
    .filter((name) => !texts.includes(name));
  t.deepEqual(unused.sort(), [
    'cordscan_edge_node_head',
    'cordscan_edge_node_latency_seconds',
    'cordscan_pipeline_chain_head_block',
    'cordscan_pipeline_eras_closed_through_block',
    'cordscan_pipeline_finalized_block',
    'cordscan_pipeline_head_block',
    'cordscan_pipeline_state_epoch',
  ]);
});

test('unknown figures are missing, not 0', async (t) => {
  for (const { registry } of [new PipelineMetrics(), new EdgeMetrics()])
    t.notRegex(await registry.metrics(), /^cordscan_(pipeline_\w+|edge_(clients|node\w+)) /m);
});

test('readiness names each failing check, hides dependency messages and never hangs', async (t) => {
  const { isReady, body } = await new Readiness({
    one: () => undefined,
    two: () => 'it is late',
    three: () => Promise.reject(new Error('http://user:secret@host')),
    four: () => new Promise<undefined>(() => {}),
  }).report();
  t.false(isReady);
  t.deepEqual(body, {
    status: 'not ready',
    checks: { one: 'ok', two: 'it is late', three: 'check failed', four: 'no answer within 2000 ms' },
  });
  t.like(await new Readiness({ one: async () => undefined }).report(), { isReady: true, body: { status: 'ready' } });
});

test('log warnings and errors are counted by event, lower levels are not', (t) => {
  const lines: string[] = [];
  const log = createLog('test', 'fatal', (level, event) => lines.push(`${level} ${event}`));
  log.warn({ event: 'unseen' });
  const seen = createLog('test', 'info', (level, event) => lines.push(`${level} ${event}`));
  seen.info({ event: 'nothing' });
  seen.warn({ event: 'fault_of_test' });
  seen.error('words alone');
  t.deepEqual(lines, ['warn fault_of_test', 'error text']);
});
