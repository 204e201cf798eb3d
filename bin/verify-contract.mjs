// Entry point of the process that verifies one contract, see verification/worker/main.ts.
import { compiled } from './compiled.mjs';
import { chooseEnvironment, confineAndRestart, projectFiles, systemFiles } from './confine.mjs';

/** Environment variable with the URL of the compiled program, set once the kernel restricts the process. */
const mark = 'CORDSCAN_CONFINED_WORKER';

let main = process.env[mark];
if (main === undefined) {
  main = await compiled('verification/worker/main.ts');
  const [compiler] = process.argv.slice(2);
  const reason = await confineAndRestart(
    { readOnly: [process.execPath, compiler, ...projectFiles(), ...systemFiles], readWrite: ['/dev/null'], ports: [] },
    { ...chooseEnvironment(['PATH', 'NODE_CHANNEL_SERIALIZATION_MODE']), [mark]: main },
  );
  process.send?.({ unconfined: reason });
}
await import(main);
