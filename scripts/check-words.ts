/** Fails if comments, messages or docs contain words that this project replaces by plainer ones, or names end in `Of`. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const replacements: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bborne\b/i, 'allowed, accepted'],
  [/\bthereof\b/i, 'of it, or name the thing'],
  [/\bnobody\b/i, 'no client, no caller, none'],
  [/\bon wish\b/i, 'optionally'],
  [/\bmade good\b/i, 'repaired'],
  [/\bwho asks\b/i, 'the caller'],
  [/\bright of way\b/i, 'write priority'],
  [/\bunsettled\b|\bsettled\b/i, 'unfinalized, finalized'],
  [/\bis told\b|\bare told\b|\bwas told\b/i, 'is returned, is reported'],
  [/\bgoes on\b|\bgo on\b/i, 'continues'],
  [/\bcomes to\b|\bamounts to\b/i, 'equals'],
  [/\bstands? for good\b/i, 'is permanent'],
  [/\bas it were\b|\bso to speak\b/i, '(nothing)'],
];

/** Files that may contain rejected words, for example because released migrations must not change. */
const exempt: readonly RegExp[] = [
  /^scripts\/check-words\.ts$/,
  /^sql\/migrations\//,
  /^sql\/relations\/token_transfers_of_logs\.sql$/,
  /^docs\/reference\/schema\.md$/,
  /^semantic\/lexicon\//,
  /^test\//,
];
/** Returns whether the word is a name or a public value, not prose. */
const isName = (line: string, word: string) =>
  new RegExp(`['"\`_.#/-]${word}|${word}['"\`_(-]|X-Export-Unsettled`, 'i').test(line) ||
  (/settled/i.test(word) && new RegExp(`${word}[:,]`, 'i').test(line));

/**
 * Function names begin with a verb: `readBlock`, not `blockOf`. Names of ABI functions and the public API are accepted.
 */
const verblessName = /\b(?:function\*?|const|let) (?!(?:is|as|balance|owner|position)Of\b)[a-z]\w*Of\b/;

const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.sql', '*.md'], { encoding: 'utf8' })
  .trim()
  .split('\n');
const readLines = (file: string) => readFileSync(file, 'utf8').split('\n');

const words = files
  .filter((file) => !exempt.some((pattern) => pattern.test(file)))
  .flatMap((file) =>
    readLines(file).flatMap((line, i) =>
      replacements.flatMap(([pattern, instead]) => {
        const word = pattern.exec(line)?.[0];
        return word && !isName(line, word) ? [`${file}:${i + 1}: "${word}": write ${instead}`] : [];
      }),
    ),
  );
const names = files
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    readLines(file).flatMap((line, i) => {
      const name = verblessName.exec(line)?.[0];
      return name ? [`${file}:${i + 1}: "${name}": begin with get, read, to, find …`] : [];
    }),
  );
const findings = [...words, ...names];
if (findings.length > 0) {
  console.error(`${findings.join('\n')}\n${findings.length} words to replace, see CONTRIBUTING.md`);
  process.exit(1);
}
