#!/usr/bin/env node
// Entry point of the `cordscan` command.
import './check-node.mjs';
import { compiled } from './compiled.mjs';

process.setSourceMapsEnabled(true);
const { runCli } = await import(await compiled('commands/cli.ts'));
await runCli(process.argv);
