// Entry point of the embedded ClickHouse. engine/main.ts describes its arguments.
import { resolve } from 'node:path';
import { compiled } from './compiled.mjs';
import { chooseEnvironment, confineAndRestart, projectFiles, systemFiles } from './confine.mjs';

/** Environment variable with the URL of the compiled program, set once the kernel restricts the process. */
const mark = 'CORDSCAN_CONFINED_MAIN';

/** Environment variables that Node and ClickHouse need. None contains a secret. */
const variables = ['PATH', 'TZ', 'LANG', 'UV_THREADPOOL_SIZE', 'NODE_OPTIONS', 'NODE_CHANNEL_SERIALIZATION_MODE'];

process.setSourceMapsEnabled(true);
let main = process.env[mark];
if (main === undefined) {
  main = await compiled('engine/main.ts');
  const [data, port, backups, passwordFile, spool] = process.argv.slice(2);
  const reason = await confineAndRestart(
    {
      readOnly: [process.execPath, resolve(passwordFile), ...projectFiles('engine'), ...systemFiles],
      readWrite: [...[data, backups, spool].map((path) => resolve(path)), '/dev/null'],
      ports: [Number(port)],
    },
    { ...chooseEnvironment(variables), [mark]: main },
  );
  console.error(
    `embedded ClickHouse runs without Landlock confinement (${reason}); only its own checks restrict file access`,
  );
}
await import(main);
