import { isSecret, readConfig } from '#runtime/config.ts';
import { configByGroup } from '#runtime/config-table.ts';

/**
 * Prints configuration variables by group: all, or those set in the environment. Masks secrets.
 * @throws ConfigError for an invalid setting
 */
export function runConfig(env: Record<string, string | undefined>, { all }: { all?: boolean }): void {
  readConfig(env);
  for (const { title, variables } of configByGroup()) {
    const shown = variables.filter(({ name }) => all || env[name]);
    if (shown.length === 0) continue;
    console.log(`\n${title}`);
    for (const { name, fallback, description } of shown) {
      const value = env[name] ? `${isSecret(name) ? '********' : env[name]}  (environment)` : defaultInWords(fallback);
      console.log(`  ${name} = ${value}\n      ${description}`);
    }
  }
  if (!all) console.log('\nAll other settings have their defaults: cordscan config --all shows them.');
}

const defaultInWords = (fallback: string) => (fallback === '' ? '(unset)' : `${fallback}  (default)`);
