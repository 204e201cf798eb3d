#!/usr/bin/env node
// Entry of the `cordscan` command: registers the TypeScript loader and hands over to the CLI.
import { register } from 'tsx/esm/api';

register();
const { runCli } = await import('../runtime/cli/cli.ts');
await runCli(process.argv);
