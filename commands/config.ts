/** `cordscan config`: which settings apply, and where each comes from. */
import { isSecret, readConfig } from '#runtime/config.ts';
import { configGroups } from '#runtime/config-groups.ts';
import { configTable } from '#runtime/config-table.ts';
import { known } from '#runtime/known.ts';

/**
 * Prints the variables by group, those that the environment sets or all of them. Secrets are masked.
 * @throws ConfigError when a setting is invalid
 */
export function runConfig(env: Record<string, string | undefined>, { all }: { all?: boolean }): void {
  readConfig(env);
  const variables = new Map(configTable().map((variable) => [variable.name, variable]));
  for (const { title, names } of configGroups) {
    const shown = names.filter((name) => all || env[name]);
    if (shown.length === 0) continue;
    console.log(`\n${title}`);
    for (const name of shown) {
      const { fallback, description } = known(variables.get(name), `the variable ${name}`);
      const value = env[name] ? `${isSecret(name) ? '********' : env[name]}  (environment)` : defaultInWords(fallback);
      console.log(`  ${name} = ${value}\n      ${description}`);
    }
  }
  if (!all) console.log('\nAll other settings have their defaults: cordscan config --all shows them.');
}

const defaultInWords = (fallback: string) => (fallback === '' ? '(unset)' : `${fallback}  (default)`);
