import type { Config } from '#runtime/config.ts';
import { runChecks } from './checks.ts';

/** Prints one line per check. Sets exit code 1 if a check finds an error. */
export async function runDoctor(config: Config): Promise<void> {
  for (const { name, state, text, remedy } of await runChecks(config)) {
    console.log(`${state.padEnd(8)} ${name}: ${text}`);
    if (remedy) console.log(`         ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}.`);
    if (state === 'error') process.exitCode = 1;
  }
}
