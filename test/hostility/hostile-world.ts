import { createHash } from 'node:crypto'

import type { S3Credentials } from '../../src/adapters/s3/sign-request.ts'
import { scopes as allScopes } from '../../src/domain/access/tokens/scopes.ts'
import { painted, quarters } from '../fixtures/sample-images.ts'
import type { LocalService } from '../support/local-service.ts'
import type { Random } from '../support/random.ts'
import { access, account, testKeys } from '../support/service-process.ts'
import type { Caller, Pool } from './hostile-values.ts'
import { createOwner, type Owner } from './owner.ts'
import type { S3Caller } from './s3-requests.ts'

export interface HostileWorld {
  readonly callers: readonly [Caller, ...Caller[]]
  /** Those who ask for objects; none of them has anything of the other zone. */
  readonly objectCallers: readonly [S3Caller, ...S3Caller[]]
  /** Of the zone that nobody else may change. */
  readonly owner: Owner
  readonly now: () => Date
  /** Lets the service's time go by. */
  pass(ms: number): Promise<void>
  /** Nobody but operators may ever read it. */
  readonly mark: string
  /** Takes up names of what was answered to the tenant, for later requests. */
  learn(answer: unknown): void
  /** Makes anew what an operator may have removed: the tenant's zone and its tokens. */
  mend(): Promise<void>
  /** What is otherwise than it was put, one line each. */
  losses(): Promise<readonly string[]>
}

/** The zone of the tenant who attacks, and the one that nobody else may read or change. */
const own = 'acme'
const victim = 'vault'
const maxLearned = 40

const json = (headers: Readonly<Record<string, string>>, body: unknown) => ({
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A service, or nodes of one; where it is one of many its time cannot be moved. */
export interface HostileService extends Pick<LocalService, 'fetch' | 'url'> {
  readonly wait?: LocalService['wait']
  /** Resolves once no node answers from before what has been written. */
  readonly settle?: () => Promise<void>
}

/** Fills a service for the generated requests. */
export async function openHostileWorld(
  service: HostileService,
  random: Random,
): Promise<HostileWorld> {
  const mark = `mark-${random.integer(1e8, 9e8)}-of-the-vault`
  const ask = async (method: string, path: string, init: RequestInit = {}) =>
    await service.fetch(new Request(service.url + path, { ...init, method }), '127.0.0.1')
  const create = async (path: string, body: unknown) =>
    (await (await ask('POST', path, json(account, body))).json()) as Record<string, string>
  const put = async (path: string, body: string | Uint8Array<ArrayBuffer>, preview?: string) =>
    await ask('PUT', `/api/storage/${path}`, {
      headers: { ...access, ...(preview !== undefined && { 'Sedge-Preview': preview }) },
      body,
    })
  const shape = { width: 40, height: 30 }
  const image = new Uint8Array(await painted(shape, quarters(shape)).png().toBuffer())
  const kept = new Map<string, string>()
  const secret = `a secret with the ${mark}`
  const names = new Map<string, string[]>()
  const secretNames = new Map<string, string[]>()
  const tokens = { all: none, reader: none, owner: none }
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)

  async function fillOwn(): Promise<void> {
    await create('/api/core/zones', { Name: own })
    await put(`${own}/v1/icons/a.png`, image)
    await put(`${own}/v1/icons/a.svg`, '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>')
    await put(`${own}/v1/texts/a.css`, 'p { color: red }'.repeat(100))
    await create(`/api/core/zones/${own}/previews`, { Name: 'spring' })
  }

  async function fillVictim(): Promise<void> {
    await create('/api/core/zones', { Name: victim })
    for (let count = 0; count < 8; count += 1) {
      const path = `${victim}/v1/texts/${count}.txt`
      kept.set(path, `text ${count}`)
      await put(path, `text ${count}`)
    }
    await put(`${victim}/v1/texts/former.txt`, secret)
    kept.set(`${victim}/v1/texts/former.txt`, 'replaced')
    await put(`${victim}/v1/texts/former.txt`, 'replaced')
    await create(`/api/core/zones/${victim}/previews`, { Name: 'draft', Signed: true })
    await put(`${victim}/v1/texts/draft.txt`, secret, 'draft')
    const token = await create('/api/tokens', {
      name: mark,
      scopes: ['storage:read'],
      zones: [victim],
    })
    const url = `https://hooks.invalid/${mark}`
    const webhook = await create('/api/webhooks', { url, events: ['*'], zones: [victim] })
    const paths = [...kept.keys(), `${victim}/v1/texts/draft.txt`]
    secretNames.set('path', paths)
    secretNames.set('url', [...paths.map((path) => `/${path}`), `/@~draft/${paths.at(-1) ?? ''}`])
    secretNames.set('zone', [victim])
    secretNames.set('name', ['draft'])
    secretNames.set('sha256', [hashOf(secret), hashOf('replaced')])
    secretNames.set('id', [token['id'] ?? '', webhook['id'] ?? '', victim])
  }

  async function makeTokens(): Promise<void> {
    const scopes = allScopes.filter((scope) => scope !== 'edges:sync')
    const make = async (name: string, asked: object) =>
      tokenOf(await create('/api/tokens', { name, S3: true, ...asked }))
    const reads = ['storage:read', 'assets:read']
    tokens.all = await make('all', { scopes, zones: [own] })
    tokens.reader = await make('reader', { scopes: reads, zones: [own] })
    if (tokens.owner === none) tokens.owner = await make('owner', { scopes, zones: [victim] })
  }

  const ownNames = new Map([
    ['path', ['icons/a.png', 'icons/a.svg', 'texts/a.css', ''].map((path) => `${own}/v1/${path}`)],
    ['url', ['icons/a.png', 'icons/a.svg', 'texts/a.css'].map((path) => `/${own}/v1/${path}`)],
    ['zone', [own]],
    ['name', ['spring', 'other']],
    ['id', [own]],
    ['hostname', ['images.acme.invalid']],
  ])
  const poolOf = (...maps: ReadonlyMap<string, readonly string[]>[]): Pool => ({
    pick(name, from) {
      const known = maps.flatMap((map) => map.get(kindOf(name)) ?? [])
      return known.length === 0 ? undefined : known[from.integer(0, known.length - 1)]
    },
  })
  /** Of somebody who knows what others have, and asks for it now and then. */
  const curious = (...maps: ReadonlyMap<string, readonly string[]>[]): Pool => {
    const [mine, all] = [poolOf(...maps), poolOf(...maps, secretNames)]
    return { pick: (name, from) => (from.next() < 0.7 ? mine : all).pick(name, from) }
  }
  const outside = curious(ownNames)
  const inside = curious(ownNames, names)
  const bearer = (kind: keyof typeof tokens) => ({
    get Authorization() {
      return `Bearer ${tokens[kind].bearer}`
    },
  })
  const operator = { isOperator: true, pool: poolOf(ownNames) }
  const objectCaller = (name: keyof typeof tokens, hasSecret = true): S3Caller => ({
    name: `${name} of objects`,
    headers: {},
    isOperator: false,
    pool: inside,
    hasSecret,
    get credentials() {
      return tokens[name].credentials
    },
  })
  const owner = createOwner({
    origin: service.url,
    zone: victim,
    directory: 'ledger',
    caller: { name: 'owner', headers: bearer('owner'), ...operator },
    credentials: () => tokens.owner.credentials,
    now,
    mark,
    onUpload: (id) => learnFrom({ id }, secretNames),
    ask: ({ method, target, headers }) => ask(method, target, { headers }),
  })
  const { ACCOUNT_KEY, ACCESS_KEY, PURGE_KEY, ANALYTICS_KEY } = testKeys

  await fillVictim()
  await fillOwn()
  await makeTokens()
  return {
    mark,
    callers: [
      { name: 'anybody', headers: {}, isOperator: false, pool: outside },
      { name: 'tenant', headers: bearer('all'), isOperator: false, pool: inside },
      { name: 'reader', headers: bearer('reader'), isOperator: false, pool: inside },
      {
        name: 'liar',
        headers: { Authorization: 'Bearer cdnsk_no', AccessKey: 'no', Cookie: 'cdn_session=no' },
        isOperator: false,
        pool: outside,
      },
      {
        name: 'operator',
        headers: { AccountKey: ACCOUNT_KEY, AccessKey: ACCESS_KEY },
        ...operator,
      },
      { name: 'purger', headers: { 'x-api-key': PURGE_KEY }, ...operator },
      { name: 'analyst', headers: { 'x-api-key': ANALYTICS_KEY }, ...operator },
    ],
    objectCallers: [
      objectCaller('all'),
      objectCaller('all'),
      objectCaller('reader'),
      objectCaller('owner', false),
      { ...objectCaller('all'), name: 'anybody of objects', credentials: undefined },
    ],
    owner,
    now,
    async pass(ms) {
      service.wait?.(ms)
      if (service.wait !== undefined) aheadMs += ms
      tokens.owner = none
      await makeTokens()
    },
    learn: (answer) => learnFrom(answer, names),
    async mend() {
      await fillOwn()
      await makeTokens()
    },
    async losses() {
      const found = [...(await owner.compare())]
      for (const [path, text] of kept) {
        const got = await ask('GET', `/api/storage/${path}`, { headers: access })
        const body = await got.text()
        if (got.status !== 200 || body !== text) found.push(`${path}: ${got.status} ${body}`)
      }
      return found
    },
  }
}

interface Token {
  readonly bearer: string
  readonly credentials: S3Credentials
}

const tokenOf = (made: Readonly<Record<string, string>>): Token => ({
  bearer: made['token'] ?? '',
  credentials: {
    accessKeyId: made['AccessKeyId'] ?? '',
    secretAccessKey: made['SecretAccessKey'] ?? '',
    sessionToken: undefined,
  },
})
const none = tokenOf({})

/** Of which kind the values are that a parameter or member of this name takes. */
function kindOf(name: string): string {
  const small = name.toLowerCase()
  if (/paths?$|source|destination|prefix|from$|to$/u.test(small)) return 'path'
  if (/urls?$|target/u.test(small)) return 'url'
  if (/zones?$|project/u.test(small)) return 'zone'
  if (/sha256|checksum|hash|key$/u.test(small)) return 'sha256'
  if (/commit|version|part/u.test(small)) return 'commit'
  if (small.endsWith('id')) return 'id'
  return small
}

function learnFrom(answer: unknown, names: Map<string, string[]>): void {
  const seen = (name: string, value: string) => {
    const kind = kindOf(name)
    if (!['id', 'commit', 'path', 'sha256'].includes(kind) || value.length > 200) return
    const known = names.get(kind) ?? []
    if (known.includes(value)) return
    names.set(kind, [...known, value].slice(-maxLearned))
  }
  const look = (value: unknown, name: string, depth: number): void => {
    if (typeof value === 'string') return seen(name, value)
    if (typeof value !== 'object' || value === null || depth > 4) return
    for (const [key, inner] of Object.entries(value).slice(0, 30))
      look(inner, Array.isArray(value) ? name : key, depth + 1)
  }
  look(answer, '', 0)
}
