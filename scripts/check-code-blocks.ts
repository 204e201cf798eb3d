/**
 * Fails if a runnable code block of the docs has no mark after its language. Marks: `run`: test/e2e/docs.test.ts runs
 * the block. `run-until: <text>`: stops it after it printed the text. `reply`: expected output of the block before.
 * `no-run: <reason>`: the test can't run the block.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type CodeBlock, parsePage } from './markdown.ts';

const runnable = /^(sh|bash|shell|console|js|mjs|javascript|ts|typescript|sql)$/;
const marks = /^(run|run-until: .+|no-run: .+)$/;

function checkBlock(block: CodeBlock, before: CodeBlock | undefined): string | undefined {
  if (!block.isFenced || block.language === undefined) return 'needs a fence (```) with a language';
  if (block.mark === 'reply') {
    return /^(run|reply)/.test(before?.mark ?? '')
      ? undefined
      : 'is marked as a reply, but follows no block that is run';
  }
  if (!runnable.test(block.language)) {
    return block.mark === '' ? undefined : `has the mark "${block.mark}"; accepted for ${block.language}: reply`;
  }
  return marks.test(block.mark)
    ? undefined
    : `has the mark "${block.mark}"; accepted: run, run-until: <text>, no-run: <reason>`;
}

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
const findings = pages.flatMap((page) => {
  const { blocks } = parsePage(readFileSync(page, 'utf8'));
  return blocks.flatMap((block, i) => {
    const finding = checkBlock(block, blocks[i - 1]);
    return finding === undefined ? [] : [`${page}:${block.line}: the code block ${finding}`];
  });
});
if (findings.length > 0) {
  console.error(findings.join('\n'));
  process.exit(1);
}
