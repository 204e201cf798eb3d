/** URLs of style, script and icon contain a digest, so clients can cache them forever. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'assets');

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
  readonly icon: Asset;
}

export function loadAssets(): Assets {
  return {
    style: named('style', 'css', 'text/css; charset=utf-8', joined('style')),
    // the block keeps the declarations of each file local
    script: named('app', 'js', 'text/javascript; charset=utf-8', `'use strict';\n${joined('scripts', '{\n', '}\n')}`),
    icon: named('icon', 'svg', 'image/svg+xml', readFileSync(join(folder, 'icon.svg'), 'utf8')),
  };
}

function joined(name: string, before = '', after = ''): string {
  const files = readdirSync(join(folder, name)).sort();
  return files.map((file) => before + readFileSync(join(folder, name, file), 'utf8') + after).join('');
}

function named(name: string, ending: string, type: string, body: string): Asset {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { path: `/assets/${name}.${digest}.${ending}`, type, body };
}
