// Deploys a contract with two libraries, immutables and a proxy, and verifies them. Prints their addresses as JSON.
const { Interface } = require('@ethersproject/abi');
const hre = require('hardhat');

async function main() {
  await hre.run('compile', { quiet: true });
  const Scale = await deploy('Scale');
  const Boot = await deploy('Boot');
  const terms = ['Savings', Scale];
  const Vault = await deploy('Vault', [1000, terms], { Scale, Boot });
  const proxy = await deploy('Proxy', [Vault, '0x']);
  // the plugin finds Scale in the code of the contract; only the constructor calls Boot
  await hre.run('verify:verify', { address: Vault, constructorArguments: [1000, terms], libraries: { Boot } });
  await hre.run('verify:verify', { address: proxy, constructorArguments: [Vault, '0x'] });
  console.log(`addresses ${JSON.stringify({ Scale, Boot, Vault, Proxy: proxy })}`);
}

async function deploy(name, args = [], libraries = {}) {
  const { abi, bytecode, linkReferences } = await hre.artifacts.readArtifact(name);
  const data = link(bytecode, linkReferences, libraries) + new Interface(abi).encodeDeploy(args).slice(2);
  const { provider } = hre.network;
  const [from] = await provider.send('eth_accounts');
  const hash = await provider.send('eth_sendTransaction', [{ from, data, gas: '0x2dc6c0' }]);
  await provider.send('evm_mine');
  const receipt = await provider.send('eth_getTransactionReceipt', [hash]);
  if (receipt?.status !== '0x1') throw new Error(`the creation of ${name} failed`);
  return receipt.contractAddress;
}

function link(bytecode, linkReferences, libraries) {
  let code = bytecode;
  for (const ofFile of Object.values(linkReferences))
    for (const [library, places] of Object.entries(ofFile))
      for (const { start, length } of places)
        code = code.slice(0, 2 + 2 * start) + libraries[library].slice(2) + code.slice(2 + 2 * (start + length));
  return code;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
