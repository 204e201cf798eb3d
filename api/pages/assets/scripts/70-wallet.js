// Sends a transaction or adds the chain in a browser wallet. Wallets announce themselves (EIP-6963).
const wallets = new Map();
window.addEventListener('eip6963:announceProvider', ({ detail }) => {
  // wallets announce themselves again on each request, also while a transaction is being confirmed
  if (!detail?.info?.uuid || !detail.provider) return;
  wallets.set(detail.info.uuid, detail);
  offerWallets();
});

// Switches the wallet to this chain. Adds the chain if the wallet does not know it (EIP-3085, EIP-3326).
const useChain = async (provider) => {
  const reply = await fetch('/api/v1/network/config');
  const { chainId, chainName, nativeCurrency, rpcUrls, blockExplorerUrls } = await reply.json();
  if ((await provider.request({ method: 'eth_chainId' })) === chainId) return chainId;
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  } catch (error) {
    // some wallets wrap the error of an unknown chain
    if (error?.code !== 4902 && error?.data?.originalError?.code !== 4902) throw error;
    await provider.request({
      method: 'wallet_addEthereumChain',
      params: [{ chainId, chainName, nativeCurrency, rpcUrls, blockExplorerUrls }],
    });
  }
  // adding a chain does not select it (EIP-3085)
  if ((await provider.request({ method: 'eth_chainId' })) !== chainId)
    throw new Error(`select the network ${chainName} in your wallet`);
  return chainId;
};

const send = async (place, { provider }, state) => {
  const { to, call, value } = place.dataset;
  try {
    state.textContent = 'Confirm in your wallet.';
    await provider.request({ method: 'eth_requestAccounts' });
    const chainId = await useChain(provider);
    const [from] = await provider.request({ method: 'eth_accounts' });
    // simulate again before the signature, because the sender may differ from the simulated one
    await provider.request({ method: 'eth_estimateGas', params: [{ from, to, data: call, value }] });
    // include the chain id, because the wallet may have been switched meanwhile
    const transaction = { from, to, data: call, value, chainId };
    const hash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] });
    const link = document.createElement('a');
    link.href = `/tx/${hash}`;
    link.textContent = hash;
    state.replaceChildren('Sent: ', link);
  } catch (error) {
    state.textContent = `Not sent: ${String(error?.message ?? error).slice(0, 300)}`;
  }
};

const addNetwork = async ({ provider }, state) => {
  try {
    state.textContent = 'Confirm in your wallet.';
    await useChain(provider);
    state.textContent = 'Your wallet uses this network now.';
  } catch (error) {
    state.textContent = `Not added: ${String(error?.message ?? error).slice(0, 300)}`;
  }
};

function offerWallets() {
  if (wallets.size === 0) return;
  for (const place of document.querySelectorAll('.send, .network')) {
    const isNetwork = place.classList.contains('network');
    const state = place.querySelector('[role="status"]') ?? document.createElement('span');
    state.setAttribute('role', 'status');
    const buttons = [...wallets.values()].map((wallet) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = `${isNetwork ? 'Add to' : 'Send with'} ${String(wallet.info.name).slice(0, 40)}`;
      button.addEventListener('click', () => (isNetwork ? addNetwork(wallet, state) : send(place, wallet, state)));
      return button;
    });
    place.replaceChildren(...buttons.flatMap((button) => [button, ' ']), state);
  }
}
// Hides the simulated call after a change of the form, which it no longer matches.
document.addEventListener('input', (event) => {
  const item = event.target.closest?.('li');
  if (item?.querySelector('.send')) for (const old of item.querySelectorAll('form ~ *')) old.remove();
});
document.addEventListener('DOMContentLoaded', () => {
  if (document.querySelector('.send, .network')) window.dispatchEvent(new Event('eip6963:requestProvider'));
});
