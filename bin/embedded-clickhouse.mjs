// Entry point of the embedded ClickHouse. engine/main.ts describes its arguments.
import { join, resolve } from 'node:path';
import { compiled } from './compiled.mjs';
import { confineAndRestart } from './confine.mjs';

/**
 * Environment variable with the URL of the compiled program. It is set once the process is restricted by the kernel.
 */
const mark = 'CORDSCAN_CONFINED_MAIN';
const systemFiles = [
  ...['/usr', '/lib', '/lib64', '/etc/ld.so.cache', '/etc/localtime', '/etc/ssl/openssl.cnf'],
  ...['/proc', '/sys', '/dev/urandom'],
];

process.setSourceMapsEnabled(true);
let main = process.env[mark];
if (main === undefined) {
  main = await compiled('engine/main.ts');
  const [data, port, backups, passwordFile, spool] = process.argv.slice(2);
  const project = ['bin', 'build', 'node_modules', 'engine', 'package.json'].map((name) =>
    join(import.meta.dirname, '..', name),
  );
  const reason = await confineAndRestart(
    {
      readOnly: [process.execPath, resolve(passwordFile), ...project, ...systemFiles],
      readWrite: [...[data, backups, spool].map((path) => resolve(path)), '/dev/null'],
      ports: [Number(port)],
    },
    { ...ownEnvironment(), [mark]: main },
  );
  console.error(
    `embedded ClickHouse runs without Landlock confinement (${reason}); only its own checks restrict file access`,
  );
}
await import(main);

/** Returns the environment variables that Node and the embedded ClickHouse need, without secrets of the service. */
function ownEnvironment() {
  const names = ['PATH', 'TZ', 'LANG', 'UV_THREADPOOL_SIZE', 'NODE_OPTIONS', 'NODE_CHANNEL_SERIALIZATION_MODE'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
