/** Returns the HTTP header for the user name and password of a URL; none if it has no user name. @source RFC 7617 */
export function credentialHeaders({ username, password }: URL): { authorization?: string } {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Moves the user name and password of a URL to a header, because fetch() rejects URLs that have them. */
export function splitCredentials(given: string | URL): { url: string; headers: { authorization?: string } } {
  const url = new URL(given);
  const headers = credentialHeaders(url);
  url.username = url.password = '';
  return { url: url.href, headers };
}
