import { z } from 'zod';
import { configSchema } from './config.ts';
import { configGroups } from './config-groups.ts';
import { known } from './known.ts';

export interface ConfigVariable {
  readonly name: string;
  /** In words, such as "integer, 1 to 65535" or "links, hash or roots". */
  readonly type: string;
  /** Empty if none. */
  readonly fallback: string;
  readonly description: string;
}

export function configTable(): ConfigVariable[] {
  const defaults = configSchema.safeParse({}).data as Record<string, unknown>;
  return Object.entries(configSchema.shape).map(([name, field]) => ({
    name,
    type: typeInWords(z.toJSONSchema(field, { unrepresentable: 'any' })),
    fallback: defaults[name] === undefined ? '' : String(defaults[name]),
    description: field.description ?? '',
  }));
}

/** @throws Error if a variable is in no group, or a group contains an unknown variable */
export function configByGroup(): { readonly title: string; readonly variables: readonly ConfigVariable[] }[] {
  const variables = new Map(configTable().map((variable) => [variable.name, variable]));
  const grouped = new Set(configGroups.flatMap(({ names }) => names));
  const missing = [...variables.keys()].filter((name) => !grouped.has(name));
  if (missing.length > 0)
    throw new Error(`variables without a group in runtime/config-groups.ts: ${missing.join(', ')}`);
  return configGroups.map(({ title, names }) => ({
    title,
    variables: names.map((name) => known(variables.get(name), `the variable ${name}`)),
  }));
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function typeInWords({ type, enum: values, minimum = 0, maximum, format, items, pattern }: JsonSchema): string {
  if (values) return values.join(', ').replace(/, (?=[^,]*$)/, ' or ');
  if (type === 'array') return `list of ${(items as JsonSchema | undefined)?.format === 'uri' ? 'URLs' : 'values'}`;
  if (type === 'integer' || type === 'number') {
    const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
    return `${type}, ${isBounded ? `${minimum} to ${maximum}` : `at least ${minimum}`}`;
  }
  if (pattern?.startsWith('^0x')) return 'hex';
  return format === 'uri' ? 'URL' : 'text';
}
