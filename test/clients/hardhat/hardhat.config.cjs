require('@nomicfoundation/hardhat-verify');
const { subtask } = require('hardhat/config');
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names');

const { RPC_URL: rpcUrl, SERVICE_URL: serviceUrl, SOLJSON: compilerPath } = process.env;
const longVersion = require(compilerPath)
  .cwrap('solidity_version', 'string', [])()
  .replace(/\.Emscripten.*$/, '');
const version = longVersion.replace(/\+.*$/, '');

// uses the compiler of the npm package solc instead of a download
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({ compilerPath, isSolcJs: true, version, longVersion }));

module.exports = {
  defaultNetwork: 'fat',
  networks: { fat: { url: rpcUrl, chainId: 271828 } },
  solidity: { version, settings: { optimizer: { enabled: true, runs: 200 }, evmVersion: 'paris' } },
  etherscan: {
    apiKey: { fat: 'any' },
    customChains: [{ network: 'fat', chainId: 271828, urls: { apiURL: `${serviceUrl}/api`, browserURL: serviceUrl } }],
  },
  sourcify: { enabled: false },
};
