/** Every kind of credential, and the expected answer of each kind of route. @source docs/identity.md */
import { createHmac } from 'node:crypto';
import type { Access } from '#api/read/identity/access.ts';
import { generateKey } from '#api/read/identity/api-key.ts';
import { bearer, mintKey, type Signer, signIn } from './identity.ts';
import type { OpenIdProviderFake } from './open-id-provider.ts';
import type { RunningApi } from './service.ts';

export const routesByAccess: Readonly<Record<Access, string>> = {
  public:
    'getStats listCharts getChart queryStats runSql listSqlViews getSqlQuery cancelSqlQuery getSavedSql listSqlResults getSqlResult listLines getLine listCounters getUpdateStatus getStatus getAudit listAnchors listLatestAnchors getAnchor listTransactions listLatestTransactions getTransaction getTransactionState listPendingTransactions listTransfers search listTopAccounts getCoinSnapshot getCoinMerkleTree listCoinChanges getAccount getAccountSnapshot getBalanceHistory getStatement getReservesMessage postReserves listAccountTransactions listInternalTransfers listAccountTokens listAccountNfts getContract listProxyUpgrades listSimilarContracts listContractLogs listVerifiedContracts postSourcifyVerify postSourcifyMetadata getSourcifyJob getSourcifyContract listSourcifyContracts postVerifyForm listTokens listHolderChanges getToken listTokenHolders getTokenSnapshot getTokenMerkleTree listBalanceChanges listTokenTransfers listNftTokens getNftToken getNftPicture getGasOracle listValidators getNetworkConfig certifyExport exportRows listChanges listSigningKeys getVerdict postAddressSet getAddressSet patchAddressSet deleteAddressSet listSetTransfers streamHeads streamAddressSet listReorgs postWithdrawal getWithdrawal rebroadcastWithdrawal getCompatible getCompatibleV2 getCompatibleV1 listChains postRpc postNonce signIn getPrice listMarkets getMarket getSupplyReconciliation getSupplyTotal getSupplyCirculating getRegistryEntity getRegistryStats listRegistryStrings listTokenizedAssets getRegistryManifest getManifestSchema listRegistryLabels postIntegrationRequest getIntegrationRules getSelfCheck getEcosystemDirectory listAiAgents listTestimonies',
  token: 'postLinkNonce linkWallet unlinkWallet createKey listKeys revokeKey',
  credential:
    'saveSql listSavedSql saveSqlVersion deleteSavedSql setSqlSchedule getSqlSchedule deleteSqlSchedule listPrivateTags setPrivateTag deletePrivateTag listWatches createWatch getWatch deleteWatch replayWatch getIdentity getSemanticHistory listCheckpoints searchKnots getKnot',
  operator: 'postCheckpoint',
  admin: 'postMarket deleteMarket',
  key: 'verifyKey',
};
const walletScoped = new Set(['getSemanticHistory', 'searchKnots']);

export interface Case {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly worth:
    | 'nothing'
    | 'bad token'
    | 'invalid_api_key'
    | 'key_revoked'
    | 'token'
    | 'key'
    | 'operator token'
    | 'operator key';
}

export interface Parties {
  readonly api: RunningApi;
  readonly provider: OpenIdProviderFake;
  readonly wallet: Signer;
  readonly operator: Signer;
  readonly exOperator: Signer;
  setOperators(text: string): Promise<void>;
}

export async function makeCases({
  api,
  provider,
  wallet,
  operator,
  exOperator,
  setOperators,
}: Parties): Promise<Case[]> {
  const own = await signIn(api, wallet);
  const key = await mintKey(api, own);
  const revoked = await mintKey(api, own);
  await api.get(`/api/v1/keys/${revoked.id}`, { method: 'DELETE', headers: bearer(own) });
  const [operatorToken, exToken] = [await signIn(api, operator), await signIn(api, exOperator)];
  const operatorKey = await mintKey(api, operatorToken);
  const exKey = await mintKey(api, exToken);
  await setOperators(operator.address);
  const [head, payload] = own.split('.');
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const hmac = (signed: string, secret: string) => createHmac('sha256', secret).update(signed).digest('base64url');
  const confused = `${encode({ alg: 'HS256', typ: 'JWT', kid: 'first' })}.${(await provider.token()).split('.')[1]}`;
  const token = (name: string, text: string): Case => ({ name, headers: bearer(text), worth: 'bad token' });
  const withKey = (name: string, text: string, worth: Case['worth']): Case => ({
    name,
    headers: { 'x-api-key': text },
    worth,
  });
  return [
    { name: 'nothing', headers: {}, worth: 'nothing' },
    token('junk', 'junk'),
    { name: 'basic', headers: { authorization: 'Basic dXNlcjpwYXNz' }, worth: 'bad token' },
    token('expired', await provider.token({ expiresInSeconds: -60 })),
    token('wrong audience', await provider.token({ audience: 'another' })),
    token('wrong issuer', await provider.token({ issuer: 'https://issuer.example' })),
    token('ID token', await provider.token({ claims: { nonce: 'n', at_hash: 'h' } })),
    token('token of another type', await provider.token({ type: 'logout+jwt' })),
    token('foreign key', await provider.token({ isForeign: true })),
    token('alg none', `${encode({ alg: 'none' })}.${payload}.`),
    token('HS for RS', `${confused}.${hmac(confused, provider.publicText())}`),
    token(
      'own token, altered',
      `${head}.${encode({ sub: `wallet:${operator.address.toLowerCase()}`, iss: 'http://explorer.test' })}.AAAA`,
    ),
    withKey('junk key', 'junk', 'invalid_api_key'),
    withKey('key of nobody', generateKey(), 'invalid_api_key'),
    withKey('revoked key', revoked.key, 'key_revoked'),
    { name: 'wallet token', headers: bearer(own), worth: 'token' },
    { name: 'provider token', headers: bearer(await provider.token({ type: 'at+jwt' })), worth: 'token' },
    withKey('wallet key', key.key, 'key'),
    { name: 'ex-operator token', headers: bearer(exToken), worth: 'token' },
    withKey('ex-operator key', exKey.key, 'key'),
    { name: 'operator token', headers: bearer(operatorToken), worth: 'operator token' },
    withKey('operator key', operatorKey.key, 'operator key'),
  ];
}

/** Returns the expected status and error code of a request; undefined if the route allows it. */
export function refusal(access: Access, id: string, isOrigin: boolean, worth: Case['worth']): string | undefined {
  const isBadKey = worth === 'invalid_api_key' || worth === 'key_revoked';
  if (access === 'public') return isBadKey && !isOrigin ? `401 ${worth}` : undefined;
  if (access === 'admin') return isBadKey ? `401 ${worth}` : '401 admin_required';
  if (access === 'key') {
    if (worth === 'key' || worth === 'operator key') return undefined;
    return isBadKey ? `401 ${worth}` : '401 unauthorized';
  }
  if (access === 'token') return worth === 'token' || worth === 'operator token' ? undefined : '401 unauthorized';
  if (isBadKey) return `401 ${worth}`;
  if (worth === 'nothing' || worth === 'bad token') return '401 unauthorized';
  if (worth.startsWith('operator')) return undefined;
  if (access === 'operator') return '403 operator_required';
  return walletScoped.has(id) ? '403 wallet_scope_violation' : undefined;
}
