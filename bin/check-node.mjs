// Ends the process if Node is too old. Programs import this file first.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Cordscan needs Node 20.19 or newer, this is ${process.versions.node}. Install it from https://nodejs.org`,
  );
  process.exit(2);
}
