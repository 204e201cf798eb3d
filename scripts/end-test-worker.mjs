/**
 * Ends the process of a test file soon after its last test. Otherwise, resources that a failed test leaves open (a
 * node, an engine, a server) block one of the two slots for test files until the run times out.
 */
import { registerCompletionHandler } from 'ava';

/**
 * Enough for things that end by themselves: a proxy that holds a request for 30 s, or an engine, which gets 20 s after
 * SIGTERM.
 */
const graceMs = 90_000;

registerCompletionHandler(() => {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`the test file has ended, but its process has not. Still open: ${open}\n`);
    process.exit(1);
  }, graceMs).unref();
});
