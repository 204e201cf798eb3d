import { request } from 'undici';

interface Owner {
  readonly address: string;
  signMessage(message: string): Promise<string>;
}

export async function mintKey(origin: string, owner: Owner, headers: Record<string, string> = {}): Promise<string> {
  const post = async (path: string, body: unknown, more: Record<string, string> = {}) => {
    const reply = await request(origin + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...headers, ...more },
    });
    return (await reply.body.json()) as Record<'message' | 'accessToken' | 'key', string>;
  };
  const { message } = await post('/api/v1/auth/nonce', { address: owner.address });
  const signature = await owner.signMessage(message);
  const { accessToken } = await post('/api/v1/auth/sign-in', { message, signature });
  return (await post('/api/v1/keys', {}, { authorization: `Bearer ${accessToken}` })).key;
}
