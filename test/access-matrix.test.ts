import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type Role, roles, roleScopes } from '../src/domain/access/people/roles.ts'
import { scopes } from '../src/domain/access/tokens/scopes.ts'
import { keyCarriers } from '../src/http/access/authorize.ts'
import type { Access, KeyName, Operation } from '../src/http/operation.ts'
import { allOperations } from '../src/planes/operations.ts'
import { type LocalService, openLocalService } from './support/local-service.ts'
import { createSoftwareAuthenticator } from './support/software-authenticator.ts'
import { account, access, temporaryDirectory, testKeys } from './support/service-process.ts'

/**
 * Who may call what, asked of every operation over HTTP. What to expect is worked out from the
 * operation's own value, so an endpoint that does not do as it says fails here.
 */
const operations = allOperations
type Headers = Readonly<Record<string, string>>

/** Something a caller may send, and whether an operation should take it. */
interface Credential {
  readonly name: string
  readonly headers: Headers
  /** An upload grant, which stands in the URL. */
  readonly grant?: string
  /** Whether it is a genuine one at all. */
  readonly isGood: boolean
  readonly opens: (access: Exclude<Access, 'public'>, operation: Operation) => boolean
}

const keyValues: Readonly<Record<KeyName, string>> = {
  access: testKeys.ACCESS_KEY,
  account: testKeys.ACCOUNT_KEY,
  purge: testKeys.PURGE_KEY,
  analytics: testKeys.ANALYTICS_KEY,
}
const keyNames = Object.keys(keyValues) as KeyName[]
const never = () => false

let service: LocalService
let credentials: readonly Credential[]
let narrowed: Headers
let members: readonly Member[]
const undo = new AsyncDisposableStack()

const bad = (name: string, headers: Headers): Credential => ({
  name,
  headers,
  isGood: false,
  opens: never,
})

const at = (path: string) => `${service.url}${path}`
const bearer = (secret: string): Headers => ({ Authorization: `Bearer ${secret}` })

async function createToken(request: object, headers: Headers = account) {
  const response = await fetch(at('/api/tokens'), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'matrix', expiresInDays: 2, ...request }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string; token: string }
}

/** For all that is below a directory, as often as anybody likes. */
async function createGrant(): Promise<{ readonly id: string; readonly grant: string }> {
  const response = await fetch(at('/api/uploads/grants'), {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify({ Prefix: 'acme/v1/granted/', Times: 10_000, Overwrite: true }),
  })
  expect(response.status).toBe(201)
  const { Id: id, Url: url } = (await response.json()) as { Id: string; Url: string }
  return { id, grant: new URL(url).searchParams.get('grant') ?? '' }
}

/** Signs in; answers the headers that a page of the service's own sends from then on. */
async function signIn(): Promise<Headers> {
  const response = await fetch(at('/dashboard/login'), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ password: testKeys.DASHBOARD_PASSWORD }),
  })
  expect(response.status).toBe(303)
  return { Cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** Whether one of the scopes is enough for the operation by itself, also where it is not about a preview. */
const isEnough = (
  given: readonly string[],
  { scope, orScopes = [], ofPreviewScope = '' }: Exclude<Access, 'public'>,
): boolean => [scope ?? '', ...orScopes, ofPreviewScope].some((each) => given.includes(each))

const personCredential = (role: Role, headers: Headers): Credential => ({
  name: `a person who is ${role}`,
  headers,
  isGood: true,
  opens: (wanted) =>
    wanted.session === true &&
    (wanted.isOwn === true ||
      isEnough(roleScopes[role], {
        ...wanted,
        scope: wanted.scope ?? wanted.personScope ?? 'people:write',
      })),
})

interface Joined {
  readonly id: string
  readonly headers: Headers
  readonly isEverywhere: boolean
}

interface Member {
  readonly role: Role
  readonly session: Joined
}

/** Invites somebody who comes, registers a passkey and is signed in. */
async function join(role: Role, zones: readonly string[] | null): Promise<Joined> {
  const post = async (path: string, body: object, headers: Headers = {}) =>
    await fetch(at(path), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  service.wait(61_000)
  const email = `${crypto.randomUUID()}@example.com`
  const invited = (await (
    await post('/api/people', { email, roles: [{ role, zones }] }, account)
  ).json()) as { Person: { id: string }; Invitation: { url: string } }
  const secret = new URL(invited.Invitation.url).hash.slice(1)
  const begun = (await (await post('/api/invitations/begin', { secret })).json()) as {
    options: { challenge: string }
  }
  const { origin, hostname: rpId } = new URL(service.url)
  const credential = createSoftwareAuthenticator().register({ ...begun.options, origin, rpId })
  const joined = await post('/api/invitations/complete', { secret, credential })
  expect(joined.status).toBe(200)
  const cookie = joined.headers.get('set-cookie')?.split(';')[0] ?? ''
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' }
  return { id: invited.Person.id, headers, isEverywhere: zones === null }
}

async function joinMembers(): Promise<readonly Member[]> {
  const joined: Member[] = []
  for (const role of roles)
    for (const zones of [null, ['acme']]) joined.push({ role, session: await join(role, zones) })
  return joined
}

/** Somebody with a session and a token, who may not come in any more. */
async function leave(how: 'disabled' | 'removed') {
  const { id, headers } = await join('admin', null)
  const { token } = await createToken({ scopes: ['assets:read'] }, headers)
  const response = await fetch(at(`/api/people/${id}`), {
    method: how === 'disabled' ? 'PATCH' : 'DELETE',
    headers: { ...account, 'Content-Type': 'application/json' },
    ...(how === 'disabled' && { body: JSON.stringify({ disabled: true }) }),
  })
  expect(response.status).toBe(200)
  return { headers, token }
}

async function makeZone(name: string): Promise<void> {
  await fetch(at('/api/core/zones'), {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Name: name }),
  })
  await fetch(at(`/api/storage/clients/${name}/v1/logos/logo.svg`), {
    method: 'PUT',
    headers: access,
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect id="${name}" width="8" height="8"/></svg>`,
  })
  await fetch(at(`/${name}/v1/logos/logo.svg`))
  await createToken({ name: `of ${name}`, scopes: ['logs:read'], zones: [name] })
}

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(await openLocalService({ dataDirectory: directory.path }))
  for (const zone of ['acme', 'bolt']) await makeZone(zone)
  const all = { scopes }
  const expired = await createToken({ ...all, expiresInDays: 1 })
  service.wait(86_400_000)
  const revoked = await createToken(all)
  await fetch(at(`/api/tokens/${revoked.id}`), { method: 'DELETE', headers: account })
  const whole = await createToken(all)
  const granted = await createGrant()
  const revokedGrant = await createGrant()
  await fetch(at(`/api/uploads/grants/${revokedGrant.id}`), { method: 'DELETE', headers: access })
  narrowed = bearer((await createToken({ ...all, zones: ['acme'] })).token)
  const session = await signIn()
  const ended = await signIn()
  await fetch(at('/dashboard/logout'), { method: 'POST', redirect: 'manual', headers: ended })
  members = await joinMembers()
  const disabled = await leave('disabled')
  const removed = await leave('removed')
  credentials = [
    bad('nothing', {}),
    ...keyNames.map((key) => bad(`a wrong ${key} key`, { [keyCarriers[key].header]: 'wrong' })),
    bad('an expired token', bearer(expired.token)),
    bad('a revoked token', bearer(revoked.token)),
    bad('a token cut short', bearer(whole.token.slice(0, -1))),
    bad('a token with a typo', bearer(whole.token.replace(/.{3}$/u, 'aaa'))),
    bad('a token that was never issued', bearer(`cdnsk_${'0'.repeat(34)}0iqUEf`)),
    bad('an ended session', ended),
    bad('a forged session', { Cookie: `${session['Cookie']?.slice(0, -4)}AAAA` }),
    bad('a session of nobody', { Cookie: `cdn_session=s1.${'a'.repeat(32)}.0.${'a'.repeat(43)}` }),
    bad('a token as a key', { AccessKey: whole.token, AccountKey: whole.token }),
    { ...bad('a revoked upload grant', {}), grant: revokedGrant.grant },
    { ...bad('a forged upload grant', {}), grant: `${granted.grant.slice(0, -4)}AAAA` },
    // Where none is taken nobody looks for one.
    {
      ...bad('an upload grant', {}),
      grant: granted.grant,
      opens: (wanted) => wanted.grant === true,
    },
    ...keyNames.map((key): Credential => ({
      name: `the ${key} key`,
      headers: { [keyCarriers[key].header]: keyValues[key] },
      isGood: true,
      opens: ({ keys }) => keys.includes(key),
    })),
    {
      name: 'a session',
      headers: { ...session, 'Sec-Fetch-Site': 'same-origin' },
      isGood: true,
      opens: (wanted) => wanted.session === true,
    },
    {
      name: 'a session that another site makes the browser send',
      headers: { ...session, 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
      isGood: true,
      // It cannot read what comes back, so reading does it no good.
      opens: (wanted, { method }) => wanted.session === true && method === 'get',
    },
    ...members.flatMap(({ role, session: own }) =>
      own.isEverywhere ? [personCredential(role, own.headers)] : [],
    ),
    bad('a session of somebody who is disabled', disabled.headers),
    bad('a token of somebody who is disabled', bearer(disabled.token)),
    bad('a session of somebody who is removed', removed.headers),
    bad('a token of somebody who is removed', bearer(removed.token)),
    ...(await Promise.all(
      scopes.map(async (scope): Promise<Credential> => ({
        name: `a token for ${scope}`,
        headers: bearer((await createToken({ scopes: [scope] })).token),
        isGood: true,
        opens: (wanted) => isEnough([scope], wanted),
      })),
    )),
  ]
}, 60_000)
afterAll(() => undo.disposeAsync())

/** About something that is not there, so that whoever gets in changes nothing. */
function requestFor({ method, path, body }: Operation, headers: Headers, grant = ''): Request {
  const url = path
    .replace('{path}', 'clients/nowhere/v1/logos/none.svg')
    .replace('{hostname}', 'none.example')
    .replaceAll(/\{\w+\}/gu, 'nowhere')
  return new Request(at(grant === '' ? url : `${url}?grant=${grant}`), {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...(body?.kind === 'json' ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: '{}' }),
  })
}

/** A stream of events goes on for ever; what it may tell is tested where it is made. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return await response.text()
  await response.body?.cancel()
  return ''
}

async function statusOf(
  operation: Operation,
  { headers, grant }: Pick<Credential, 'headers' | 'grant'>,
): Promise<number> {
  const response = await fetch(requestFor(operation, headers, grant))
  await textOf(response)
  return response.status
}

test('every operation is served', async () => {
  for (const operation of operations) {
    const { url } = requestFor(operation, {})
    // A path that nothing is served at would be 404.
    const response = await fetch(url, { method: 'PROPFIND' })
    await response.body?.cancel()
    const { id, method } = operation
    const { status, headers } = response
    expect({ id, status }).toEqual({ id, status: 405 })
    expect(headers.get('allow')?.split(', ')).toContain(method.toUpperCase())
  }
})

const refusalOf = (status: number): number | 'let in' =>
  status === 401 || status === 403 ? status : 'let in'

const restricted = operations.flatMap((operation) =>
  operation.access === 'public' ? [] : [{ operation, wanted: operation.access }],
)

test('every credential opens what names it, and is refused everywhere else', async () => {
  const wrong: unknown[] = []
  for (const credential of credentials) {
    // Who tries as many wrong keys as there are operations would be told to wait.
    service.wait(61_000)
    for (const { operation, wanted } of restricted) {
      const { name, isGood, opens } = credential
      const expected = opens(wanted, operation) ? 'let in' : isGood ? 403 : 401
      const status = await statusOf(operation, credential)
      if (refusalOf(status) !== expected || status >= 500)
        wrong.push({ operation: operation.id, credential: name, expected, status })
    }
  }

  expect(wrong).toEqual([])
  expect(restricted.length * credentials.length).toBeGreaterThan(500)
}, 120_000)

test('public operations answer all alike, whatever comes with the request', async () => {
  for (const operation of operations) {
    if (operation.access !== 'public') continue
    const seen = new Map<number, string>()
    for (const credential of credentials) {
      const { name, headers } = credential
      // Signing in and out is nothing for other sites, whoever is signed in.
      if (operation.changesSession === true && headers['Sec-Fetch-Site'] === 'cross-site') continue
      // Their limits are for a while only.
      service.wait(61_000)
      seen.set(await statusOf(operation, credential), name)
    }
    expect({ id: operation.id, seen: [...seen.values()] }).toEqual({
      id: operation.id,
      seen: [expect.any(String)],
    })
  }
}, 120_000)

/** One request about a zone. */
type Probe = (zone: string) => {
  readonly path: string
  readonly body?: unknown
  readonly headers?: Headers
}

/** What `Path` or `Zone` in an answer is compared without. */
const file = (zone: string) => `clients/${zone}/v1/logos/new.svg`
const batch: Probe = (zone) => ({
  path: '/api/storage/batch',
  body: { files: [{ path: file(zone), content: 'aGk=' }] },
})

const imageProbe = (what: string, zone: string): ReturnType<Probe> => ({
  path: `/api/ai/${what}`,
  body: { path: `${zone}/v1/logos/logo.svg` },
})

/** Operations about one zone: asked of a zone the token reaches, one it does not, and one that is not. */
const probes: Readonly<Record<string, Probe>> = {
  getAssetMetadata: (zone) => ({ path: `/api/assets/metadata?path=${zone}/v1/logos/logo.svg` }),
  describeAsset: (zone) => ({
    path: `/api/assets/metadata?path=${zone}/v1/logos/logo.svg`,
    body: { FocalPoint: null },
  }),
  dismissSuggestions: (zone) => ({
    path: `/api/assets/suggestions/dismiss?path=${zone}/v1/logos/logo.svg`,
    body: {},
  }),
  takeSuggestions: (zone) => ({
    path: '/api/assets/suggestions/take',
    body: { Paths: [`${zone}/v1/logos/logo.svg`], DryRun: true },
  }),
  suggestAltText: (zone) => imageProbe('alt-text', zone),
  smartCropImage: (zone) => imageProbe('smart-crop', zone),
  moderateImage: (zone) => imageProbe('moderate', zone),
  getAssetHistory: (zone) => ({ path: `/api/assets/history?path=${zone}/v1/logos/logo.svg` }),
  getFile: (zone) => ({ path: `/api/storage/clients/${zone}/v1/logos/logo.svg` }),
  putFile: (zone) => ({ path: `/api/storage/${file(zone)}`, body: 'new' }),
  createUpload: (zone) => ({ path: `/api/uploads?path=${file(zone)}`, body: 'new' }),
  createTusUpload: (zone) => ({
    path: '/api/uploads/tus',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '3',
      'Upload-Metadata': `path ${btoa(file(zone))}`,
    },
  }),
  createUploadGrant: (zone) => ({
    path: '/api/uploads/grants',
    body: { Prefix: `${zone}/v1/titles/` },
  }),
  signAsset: (zone) => ({
    path: '/api/assets/sign',
    body: { path: `${zone}/v1/logos/logo.svg` },
  }),
  putFiles: batch,
  copyFiles: (zone) => ({
    path: '/api/storage/copy',
    body: { From: `${zone}/v1/logos/logo.svg`, To: `${zone}/v1/logos/copied.svg` },
  }),
  moveFiles: (zone) => ({
    path: '/api/storage/move',
    body: { From: `${zone}/v1/logos/copied.svg`, To: `${zone}/v1/logos/moved.svg` },
  }),
  prepareArchive: (zone) => ({
    path: '/api/assets/archive',
    body: { Paths: [`${zone}/v1/logos/logo.svg`] },
  }),
  listPreviewedAssets: (zone) => ({
    path: '/api/assets/previews',
    body: { Paths: [`${zone}/v1/logos/logo.svg`] },
  }),
  changeAssets: (zone) => ({
    path: '/api/assets/bulk',
    body: { Paths: [`${zone}/v1/logos/moved.svg`], Action: 'tag', Tags: ['probe'] },
  }),
  describeAssets: (zone) => ({
    path: '/api/assets/describe',
    body: { Paths: [`${zone}/v1/logos/logo.svg`], Action: 'tag', Tags: ['described'] },
  }),
  deleteFiles: (zone) => ({
    path: '/api/storage/delete',
    body: { Paths: [`${zone}/v1/logos/moved.svg`] },
  }),
  deleteFile: (zone) => ({ path: `/api/storage/${file(zone)}` }),
  getZone: (zone) => ({ path: `/api/core/zones/${zone}` }),
  getZoneFields: (zone) => ({ path: `/api/core/zones/${zone}/fields` }),
  setZoneFields: (zone) => ({ path: `/api/core/zones/${zone}/fields`, body: { type: 'object' } }),
  getZoneQuotas: (zone) => ({ path: `/api/core/zones/${zone}/quotas` }),
  setZoneQuotas: (zone) => ({
    path: `/api/core/zones/${zone}/quotas`,
    body: { WhenUsedUp: 'degrade' },
  }),
  getZoneHistory: (zone) => ({ path: `/api/core/zones/${zone}/history` }),
  getZoneDifferences: (zone) => ({ path: `/api/core/zones/${zone}/differences` }),
  restoreZone: (zone) => ({
    path: `/api/core/zones/${zone}/restore`,
    body: { Time: '2100-01-01T00:00:00Z', DryRun: true },
  }),
  updateZone: (zone) => ({ path: `/api/core/zones/${zone}`, body: { Enabled: true } }),
  createPreview: (zone) => ({
    path: `/api/core/zones/${zone}/previews`,
    body: { Name: 'spring' },
  }),
  listPreviews: (zone) => ({ path: `/api/core/zones/${zone}/previews` }),
  getPreview: (zone) => ({ path: `/api/core/zones/${zone}/previews/spring` }),
  updatePreviewSettings: (zone) => ({
    path: `/api/core/zones/${zone}/previews/spring`,
    body: { Signed: true },
  }),
  getPreviewDifferences: (zone) => ({
    path: `/api/core/zones/${zone}/previews/spring/differences`,
  }),
  promotePreview: (zone) => ({
    path: `/api/core/zones/${zone}/previews/spring/promote`,
    body: { DryRun: true },
  }),
  updatePreview: (zone) => ({
    path: `/api/core/zones/${zone}/previews/spring/update`,
    body: { DryRun: true },
  }),
  explainRules: (zone) => ({ path: `/api/core/rules/explain?url=/${zone}/v1/a` }),
  explainDraftRules: (zone) => ({
    path: '/api/core/rules/explain',
    body: { Url: `/${zone}/v1/a`, File: '_headers', Content: '', Zone: zone },
  }),
  getZoneStorage: (zone) => ({ path: `/api/core/zones/${zone}/storage` }),
  listDomains: (zone) => ({ path: `/api/core/zones/${zone}/domains` }),
  addDomain: (zone) => ({
    path: `/api/core/zones/${zone}/domains`,
    body: { Hostname: `cdn.${zone}.example` },
  }),
  checkDomain: (zone) => ({ path: `/api/core/zones/${zone}/domains/cdn.${zone}.example/check` }),
  getDomain: (zone) => ({ path: `/api/core/zones/${zone}/domains/cdn.${zone}.example` }),
  updateDomain: (zone) => ({
    path: `/api/core/zones/${zone}/domains/cdn.${zone}.example`,
    body: { HttpsRedirect: false },
  }),
  removeDomain: (zone) => ({ path: `/api/core/zones/${zone}/domains/cdn.${zone}.example` }),
  purge: (zone) => ({ path: '/api/purge', body: { urls: [`/${zone}/v1/logos/logo.svg`] } }),
  createToken: (zone) => ({
    path: '/api/tokens',
    body: { name: 'narrow', scopes: ['logs:read'], zones: [zone] },
  }),
  createWebhook: (zone) => ({
    path: '/api/webhooks',
    body: { url: 'https://hooks.invalid/', events: ['rules.updated'], zones: [zone] },
  }),
}

/** Asked last, because afterwards the zone is gone. */
const lastProbes: Readonly<Record<string, Probe>> = {
  deletePreview: (zone) => ({ path: `/api/core/zones/${zone}/previews/spring` }),
  deleteZone: (zone) => ({ path: `/api/core/zones/${zone}` }),
}

/** Operations that concern every zone: a narrowed token is refused. */
const forAllZones: Readonly<Record<string, Probe>> = {
  createZone: () => ({ path: '/api/core/zones', body: { Name: 'fresh' } }),
  getRules: () => ({ path: '/api/core/rules' }),
  updateRules: () => ({ path: '/api/core/rules', body: { File: '_headers', Content: '' } }),
  purge: () => ({ path: '/api/purge', body: { purge_everything: true } }),
  createBackup: () => ({ path: '/api/core/backups' }),
  getBackup: () => ({ path: '/api/core/backups/20261123T190312Z-1f0c' }),
  getBackupManifest: () => ({ path: '/api/core/backups/20261123T190312Z-1f0c/manifest' }),
  verifyBackup: () => ({ path: '/api/core/backups/20261123T190312Z-1f0c/verify' }),
  deleteBackup: () => ({ path: '/api/core/backups/20261123T190312Z-1f0c' }),
  getDeployment: () => ({ path: `/api/core/deployments/${'0'.repeat(40)}` }),
  getManifestPart: () => ({ path: '/api/edges/manifest/bolt' }),
  getBlob: () => ({ path: `/api/edges/blobs/${'0'.repeat(64)}` }),
  getPictureFacts: () => ({ path: `/api/edges/facts/${'0'.repeat(64)}` }),
  findPast: () => ({
    path: '/api/edges/past',
    body: { Zone: 'bolt', Time: '2026-01-01T00:00:00.000Z' },
  }),
  getStreamIndex: () => ({ path: `/api/edges/stream-indexes/${'0'.repeat(64)}` }),
  getSmallerCopy: () => ({ path: `/api/edges/copies/${'0'.repeat(64)}` }),
  getEdgeCertificate: () => ({ path: '/api/edges/certificates/www.bolt.example' }),
  acknowledgeFeed: () => ({
    path: '/api/edges/acknowledgements',
    body: { Edges: [{ Name: 'an-edge', Seq: 1 }] },
  }),
  reportTraffic: () => ({
    path: '/api/edges/traffic',
    body: { Flushes: [{ process: 'p', number: 1, hour: 0, rows: [] }] },
  }),
  leaseQuota: () => ({
    path: '/api/edges/quota',
    body: { Name: 'transform', Amount: 1, Owed: 0 },
  }),
}

/** Operations whose zone follows from what they name; their own tests hold them to it. */
const testedElsewhere: readonly string[] = [
  // It marks for whoever asks alone, and counts what is of its zones: the contract of the store.
  'readNotifications',
  // It says so of each file: `test/journeys/archives.test.ts`.
  'putArchive',
  'getRuleVersion',
  'getUpload',
  'appendUpload',
  'cancelUpload',
  'getTusUpload',
  'appendTusUpload',
  'terminateTusUpload',
  'revokeUploadGrant',
  'restoreAsset',
  'undoCommit',
  'revokeToken',
  'rotateToken',
  'revokeTokenByQuery',
  'getWebhook',
  'updateWebhook',
  'deleteWebhook',
  'deleteWebhookByQuery',
  'testWebhook',
  'listWebhookDeliveries',
  'redeliverWebhook',
]

const scoped = restricted.filter(({ wanted }) => wanted.scope !== undefined)
const isListing = ({ method, path }: Operation) => method === 'get' && !path.includes('{')

async function probe(operation: Operation, asked: ReturnType<Probe>, headers: Headers) {
  const response = await fetch(at(asked.path), {
    method: operation.method.toUpperCase(),
    headers: {
      ...headers,
      ...asked.headers,
      ...(operation.body?.kind === 'json' ? { 'Content-Type': 'application/json' } : {}),
    },
    ...(asked.body === undefined
      ? {}
      : { body: typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body) }),
  })
  return { status: response.status, text: await textOf(response) }
}

/** An answer without what differs between any two. */
const plain = (text: string, zone: string) =>
  text.replaceAll(zone, '<zone>').replaceAll(/"(?:requestId|timestamp|DateFetched)":"[^"]*"/gu, '')

test('every operation a token may call says how zones narrow it', () => {
  const known = [...Object.keys(probes), ...Object.keys(lastProbes), ...Object.keys(forAllZones)]
  const unknown = scoped.filter(
    ({ operation }) =>
      !isListing(operation) && ![...known, ...testedElsewhere].includes(operation.id),
  )

  expect(unknown.map(({ operation }) => operation.id)).toEqual([])
})

function testZones(id: string, probeOf: Probe): void {
  test(`${id}: a zone that the token does not reach looks like one that is not there`, async () => {
    const operation = operations.find((each) => each.id === id)
    if (operation === undefined) throw new Error(`there is no operation ${id}`)
    const [foreign, absent] = [
      await probe(operation, probeOf('bolt'), narrowed),
      await probe(operation, probeOf('void'), narrowed),
    ]
    expect([401, 403, 404]).toContain(foreign.status)
    expect(foreign.status).toBe(absent.status)
    expect(plain(foreign.text, 'bolt')).toBe(plain(absent.text, 'void'))
    const own = await probe(operation, probeOf('acme'), narrowed)
    expect({ ...own, isWell: own.status < 300 }).toMatchObject({ isWell: true })
  })
}

for (const [id, probeOf] of Object.entries({ ...probes, ...lastProbes }))
  test(`${id}: a zone where a person has no role looks like one that is not there`, async () => {
    const operation = operations.find((each) => each.id === id)
    if (operation === undefined) throw new Error(`there is no operation ${id}`)
    for (const { role, session } of members.filter((each) => !each.session.isEverywhere)) {
      const { headers } = session
      const foreign = await probe(operation, probeOf('bolt'), headers)
      const absent = await probe(operation, probeOf('void'), headers)
      const { status } = foreign
      expect({ role, status, isRefused: [403, 404].includes(status) }).toEqual({
        role,
        status: absent.status,
        isRefused: true,
      })
      expect(plain(foreign.text, 'bolt')).toBe(plain(absent.text, 'void'))
    }
  })

test('a person with a role in one zone changes another, which the person sees, in no way', async () => {
  const { id, headers } = await join('viewer', null)
  const roleOf = (body: object) =>
    fetch(at(`/api/people/${id}`), {
      method: 'PATCH',
      headers: { ...account, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const put = async (zone: string) =>
    (
      await fetch(at(`/api/storage/clients/${zone}/v1/logos/theirs.svg`), {
        method: 'PUT',
        headers,
        body: `${zone} theirs`,
      })
    ).status
  expect([await put('acme'), await put('bolt')]).toEqual([403, 403])

  // Takes effect with the next request.
  const both = [{ role: 'viewer' }, { role: 'publisher', zones: ['acme'] }]
  await roleOf({ roles: both })
  expect([await put('acme'), await put('bolt')]).toEqual([201, 403])
  await roleOf({ roles: [{ role: 'viewer' }] })
  expect(await put('acme')).toBe(403)
})

test('an editor changes previews and descriptions, and nothing else that is live', async () => {
  const { headers } = await join('editor', ['acme'])
  const ask = async (method: string, path: string, body: unknown) =>
    (
      await fetch(at(path), {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    ).status
  const put = (query: string) =>
    ask('PUT', `/api/storage/clients/acme/v1/logos/draft.svg${query}`, 'draft')
  const describe = { FocalPoint: null }
  const previews = '/api/core/zones/acme/previews'

  expect(await ask('POST', previews, { Name: 'draft' })).toBe(201)
  expect([await put('?preview=draft'), await put('')]).toEqual([201, 403])
  expect(await ask('PATCH', '/api/assets/metadata?path=acme/v1/logos/logo.svg', describe)).toBe(200)
  expect(await ask('POST', `${previews}/draft/promote`, {})).toBe(403)
  expect(await ask('POST', `${previews}/draft/update`, {})).toBe(200)
  expect(await ask('POST', '/api/purge', { urls: ['/acme/v1/logos/logo.svg'] })).toBe(403)
  // What is begun for live by somebody else is nobody's of who may change previews alone.
  const begin = (query: string, given: Headers) =>
    fetch(at(`/api/uploads?path=clients/acme/v1/logos/piece.svg${query}`), {
      method: 'POST',
      headers: { ...given, 'Upload-Complete': '?0' },
      body: 'one',
    })
  expect((await begin('', headers)).status).toBe(403)
  const theirs = await begin('', access)
  const own = await begin('&preview=draft', headers)
  const finish = async (begun: Response) =>
    (
      await fetch(new URL(begun.headers.get('location') ?? '', service.url), {
        method: 'PATCH',
        headers: {
          ...headers,
          'Upload-Complete': '?1',
          'Upload-Offset': '3',
          'Content-Type': 'application/partial-upload',
        },
        body: 'two',
      })
    ).status
  expect([await finish(theirs), (await finish(own)) < 300]).toEqual([404, true])
  expect(await ask('DELETE', `${previews}/draft`, '')).toBe(200)
})

for (const [id, probeOf] of Object.entries(probes)) testZones(id, probeOf)

for (const [id, probeOf] of Object.entries(forAllZones))
  test(`${id}: what concerns every zone is refused to a narrowed token`, async () => {
    const operation = operations.find((each) => each.id === id)
    if (operation === undefined) throw new Error(`there is no operation ${id}`)

    expect((await probe(operation, probeOf(''), narrowed)).status).toBe(403)
  })

for (const operation of operations.filter(isListing))
  test(`${operation.id}: a listing shows a narrowed token nothing of other zones`, async () => {
    const { status, text } = await probe(
      operation,
      { path: `${operation.path}?q=logo&per_page=200` },
      narrowed,
    )

    expect(status).not.toBe(401)
    expect(text).not.toContain('bolt')
  })

for (const operation of operations.filter(isListing))
  test(`${operation.id}: a listing shows a person nothing of zones without a role`, async () => {
    for (const { role, session } of members.filter((each) => !each.session.isEverywhere)) {
      const path = `${operation.path}?q=logo&per_page=200`
      const { status, text } = await probe(operation, { path }, session.headers)
      expect({ role, isKnown: status !== 401, text }).toEqual({
        role,
        isKnown: true,
        text: expect.not.stringContaining('bolt'),
      })
    }
  })

for (const [id, probeOf] of Object.entries(lastProbes)) testZones(id, probeOf)
