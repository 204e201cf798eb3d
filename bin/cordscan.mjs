#!/usr/bin/env node
import './check-node.mjs';
import { compiled } from './compiled.mjs';

process.setSourceMapsEnabled(true);
const { runCli } = await import(await compiled('commands/cli.ts'));
await runCli(process.argv);
