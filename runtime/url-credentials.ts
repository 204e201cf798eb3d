/** Returns the HTTP header for a URL's user name and password; none without a user name. @source RFC 7617 */
export function credentialHeaders({ username, password }: URL): { authorization?: string } {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Moves a URL's user name and password to a header, because fetch() rejects such URLs. */
export function splitCredentials(given: string | URL): { url: string; headers: { authorization?: string } } {
  const url = new URL(given);
  const headers = credentialHeaders(url);
  url.username = url.password = '';
  return { url: url.href, headers };
}
