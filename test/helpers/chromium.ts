/** Chromium for the browser tests, and the accessibility checker that runs in its pages. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Path of Chromium; undefined if none is installed. */
export const chromiumPath = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path !== undefined && existsSync(path),
);

export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
