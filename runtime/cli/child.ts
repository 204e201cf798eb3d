/** A service command as a child process of `cordscan start`. */
import { runCli } from './cli.ts';

await runCli(process.argv);
