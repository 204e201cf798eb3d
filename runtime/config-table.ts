/** The configuration variables as the reference and `cordscan config` show them. */
import { z } from 'zod';
import { configSchema } from './config.ts';

export interface ConfigVariable {
  readonly name: string;
  /** In words: "integer, 1 to 65535", "URL", "links, hash or roots". */
  readonly type: string;
  /** Empty where there is none. */
  readonly fallback: string;
  readonly description: string;
}

/** Returns every variable, in the order of the configSchema. */
export function configTable(): ConfigVariable[] {
  const defaults = configSchema.safeParse({}).data as Record<string, unknown>;
  return Object.entries(configSchema.shape).map(([name, field]) => ({
    name,
    type: typeInWords(z.toJSONSchema(field, { unrepresentable: 'any' })),
    fallback: defaults[name] === undefined ? '' : String(defaults[name]),
    description: field.description ?? '',
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
