import { type HDNodeWallet, Wallet } from 'ethers';
import type { RunningApi } from './service.ts';

export type Signer = Wallet | HDNodeWallet;

export const post = (api: RunningApi, path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.get(path, { method: 'POST', body: JSON.stringify(body), headers });

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Signs in with a wallet. @returns an access token */
export async function signIn(api: RunningApi, wallet: Signer = Wallet.createRandom()): Promise<string> {
  const { body: challenge } = await post(api, '/api/v1/auth/nonce', { address: wallet.address });
  const signature = await wallet.signMessage(challenge.message);
  const { body } = await post(api, '/api/v1/auth/sign-in', { message: challenge.message, signature });
  return body.accessToken;
}

export async function link(api: RunningApi, token: string, wallet: Signer) {
  const { body: challenge } = await post(api, '/api/v1/auth/wallets/nonce', { address: wallet.address }, bearer(token));
  const signature = await wallet.signMessage(challenge.message);
  return post(api, '/api/v1/auth/wallets', { message: challenge.message, signature }, bearer(token));
}

export async function mintKey(api: RunningApi, token: string, name = 'test'): Promise<{ id: string; key: string }> {
  return (await post(api, '/api/v1/keys', { name }, bearer(token))).body;
}
