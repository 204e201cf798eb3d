import { type Html, html } from '../../drawing/html.ts';
import type { RateSettings } from '../../http/rate-tiers.ts';

export interface GuideSettings {
  readonly origin: string;
  readonly chainId: number;
  readonly rates: Pick<RateSettings, 'mode' | 'perMinute'>;
}

interface GuideSection {
  readonly id: string;
  readonly title: string;
  readonly text: Html;
}

export function guideSections(settings: GuideSettings): readonly GuideSection[] {
  return [
    { id: 'names', title: 'Names', text: names() },
    { id: 'paging', title: 'Paging', text: paging() },
    { id: 'coverage', title: 'Coverage', text: coverage() },
    { id: 'budgets', title: 'Budgets', text: budgets(settings) },
    { id: 'sign-in', title: 'Sign-in', text: signIn(settings) },
    { id: 'api-keys', title: 'API keys', text: keys(settings) },
  ];
}

/** Names of the public interface that differ from the usual terms. */
const names = () =>
  html`<p>Some names are used only in this interface: <code>anchor</code> and <code>string</code> both mean a block, and a <code>knot</code> is an event of one wallet: a log that moves something to or from it, or a transaction that it sent or received. A block is <code>parked</code> while no node returns valid data for it. <code>TOKEN-20</code> is the standard ERC-20.</p>`;

const paging = () =>
  html`<p>A list has <code>items</code>, <code>hasMore</code> and <code>nextCursor</code>. Send <code>nextCursor</code> as <code>cursor</code> until <code>hasMore</code> is false, with the same filters. All pages of a list show the chain as it was at the first page, so no row is missed or repeated while the chain grows. Lists of current balances (holders, tokens, NFTs, accounts) are an exception: each page shows the newest balances; snapshots show those of one block. If a reorg removes blocks of the list, the reply is <a href="#problem-snapshot_invalidated">snapshot_invalidated</a>: restart from the first page. For complete exports, use <a href="#exportRows">exportRows</a>.</p>`;

const coverage = () =>
  html`<p><code>index.head</code> is the newest block that a reply includes. <code>index.complete</code> is true if no block up to it is missing, no node contradicts one of these blocks, and the index is close to the head of the chain. The headers <code>X-Index-Head</code> and <code>X-Chain-Head</code> repeat the heads of the index and of the chain. A request for a block that is not indexed yet fails with <a href="#problem-indexing">indexing</a>. If a list has the field <code>coverage</code>, its <code>gaps</code> are the requested blocks that are missing. If <code>index.doubtedFrom</code> is a number, a node contradicts the index from this block on: do not rely on these blocks.</p>`;

function budgets({ rates: { mode, perMinute } }: GuideSettings): Html {
  const effect =
    mode === 'enforce'
      ? html`A request over the budget fails with <a href="#problem-rate_limited">rate_limited</a>; <code>Retry-After</code> says when to try again.`
      : html`This service only reports budgets and rejects no request.`;
  return html`<p>Each request has a cost; most requests cost 1. Each caller has a budget per minute: ${perMinute.anonymous} for an IP address, ${perMinute.keyed} for an identity with access token or API key, ${perMinute.operator} for an operator. The headers <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> report the budget. ${effect}</p>`;
}

function signIn({ origin, chainId }: GuideSettings): Html {
  return html`<p>Sign in with a wallet: request a message, sign it with the wallet (EIP-4361, chain ${chainId}), and exchange it for an access token.</p><pre class="raw">curl -X POST '${origin}/api/v1/auth/nonce' -d '{"address":"0x…"}'
curl -X POST '${origin}/api/v1/auth/sign-in' -d '{"message":"…","signature":"0x…"}'</pre><p>Send the token as <code>Authorization: Bearer …</code>. Routes: <a href="#tag-identity">identity</a>.</p>`;
}

const keys = ({
  origin,
}: GuideSettings) => html`<p>With an API key, the requests of a program use the budget of your identity. The key is shown only once.</p><pre class="raw">curl -X POST '${origin}/api/v1/keys' -H "Authorization: Bearer $TOKEN" -d '{"name":"deposit monitor"}'
curl '${origin}/api/v1/stats' -H "X-API-Key: $KEY"</pre><p>Routes: <a href="#tag-keys">keys</a>.</p>`;
