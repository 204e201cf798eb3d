#!/usr/bin/env node
import './check-node.mjs';
import { compiled } from './compiled.mjs';

process.setSourceMapsEnabled(true);
const main = await compiled('commands/cli.ts');
// later threads run the same code, even if the sources change after the start
process.env.CORDSCAN_COMPILED = new URL('..', main).href;
const { runCli } = await import(main);
await runCli(process.argv);
