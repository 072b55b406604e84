import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import {
  type TemporaryDirectory,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { runSedge } from '../support/terminal.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'

const root = join(import.meta.dir, '..', '..')

let directory: TemporaryDirectory
let service: LocalService

beforeAll(async () => {
  directory = await temporaryDirectory()
  const environment = { SEARCH_BY_NAME_ONLY: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' }
  service = await openLocalService({ dataDirectory: join(directory.path, 'data'), environment })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await directory[Symbol.asyncDispose]()
})

/** As the operator, whose keys are in the environment. */
const sedge = (words: readonly string[], input?: string) =>
  runSedge(words, {
    environment: { ...testKeys, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory.path },
    ...(input !== undefined && { input }),
  })

/** The same, and it has to succeed. */
async function done(words: readonly string[], input?: string): Promise<string> {
  const { out, error, exitCode } = await sedge(words, input)
  expect({ words, error, exitCode }).toEqual({ words, error: '', exitCode: 0 })
  return out
}

async function newZone(): Promise<string> {
  const zone = `zone-${crypto.randomUUID().slice(0, 8)}`
  await done(['zones', 'create', zone])
  return zone
}

async function localFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(directory.path, crypto.randomUUID())
  for (const [name, text] of Object.entries(files)) await Bun.write(join(path, name), text)
  return path
}

test('files are put, listed, read and deleted', async () => {
  const zone = await newZone()
  const local = await localFiles({ 'a.txt': 'one', 'ä #.svg': '<svg/>' })
  expect(
    await done(['put', join(local, 'a.txt'), join(local, 'ä #.svg'), `${zone}/v1/logos/`]),
  ).toBe(
    `${zone}/v1/logos/a.txt  3 B  Committed; edges serve it within seconds.\n` +
      `${zone}/v1/logos/ä #.svg  6 B  Committed; edges serve it within seconds.\n`,
  )
  await done(['put', '-', `${zone}/v1/logos/from-input.txt`], 'piped')

  const listed = await done(['ls', `${zone}/v1/logos`])
  expect(listed).toMatch(/^NAME +SIZE {2}TYPE +CHANGED$/mu)
  expect(listed).toMatch(/^a\.txt +3 B {2}text\/plain/mu)
  expect(listed).toMatch(/^ä #\.svg +6 B {2}image\/svg\+xml/mu)
  expect(await done(['get', `/clients/${zone}/v1/logos/from-input.txt`, '-'])).toBe('piped')
  const copy = join(local, 'copy')
  await done(['get', `${zone}/v1/logos/`, copy])
  expect((await readdir(copy)).toSorted()).toEqual(['a.txt', 'from-input.txt', 'ä #.svg'])
  expect(await Bun.file(join(copy, 'a.txt')).text()).toBe('one')

  expect(await done(['rm', `${zone}/v1/logos/a.txt`])).toBe('1 deleted\n')
  expect(await sedge(['get', `${zone}/v1/logos/a.txt`, copy])).toMatchObject({ exitCode: 4 })
  expect(await sedge(['rm', '-r', `${zone}/v1`])).toMatchObject({
    exitCode: 2,
    error: '2 files will be deleted. Say --yes if that is meant\n',
  })
  expect(await done(['rm', '-r', `${zone}/v1`, '--yes'])).toBe('2 deleted\n')
})

test('nothing is overwritten with --new', async () => {
  const zone = await newZone()
  const local = await localFiles({ 'a.txt': 'one' })
  await done(['put', join(local, 'a.txt'), `${zone}/v1/a.txt`])

  expect(await sedge(['put', '--new', join(local, 'a.txt'), `${zone}/v1/a.txt`])).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('412'),
  })
})

test('a sync sends what is new or changed, and deletes only when told to', async () => {
  const zone = await newZone()
  const target = `${zone}/v1/icons`
  const local = await localFiles({ 'a.txt': 'a', 'b.txt': 'b', 'deep/c.txt': 'c', '.hidden': 'x' })
  const sync = (...more: string[]) => done(['sync', local, target, ...more])

  expect(await sync('--dry-run')).toBe(
    [
      `+ ${target}/a.txt`,
      `+ ${target}/b.txt`,
      `+ ${target}/deep/c.txt`,
      'Nothing was done; it would be: 3 new, 0 changed, 0 unchanged, 0 deleted\n',
    ].join('\n'),
  )
  expect(await sync()).toBe('3 new, 0 changed, 0 unchanged, 0 deleted, 3 B sent\n')
  expect(await sync()).toBe('0 new, 0 changed, 3 unchanged, 0 deleted, 0 B sent\n')

  await Bun.write(join(local, 'a.txt'), 'A')
  await rm(join(local, 'deep'), { recursive: true })
  expect(await sync('--delete', '--dry-run')).toContain(
    `~ ${target}/a.txt\n- ${target}/deep/c.txt\n`,
  )
  expect(await sync()).toContain('0 new, 1 changed, 1 unchanged, 0 deleted')
  expect(JSON.parse(await sync('--delete', '--json'))).toEqual({
    created: [],
    changed: [],
    deleted: [`${target}/deep/c.txt`],
    unchanged: 2,
    failed: [],
  })
  expect(await done(['get', `${target}/a.txt`, '-'])).toBe('A')
})

test('a file that is refused is named, and the others of its batch are stored', async () => {
  const zone = await newZone()
  const local = await localFiles({ 'good.txt': 'a', 'bad.': 'b', 'better.txt': 'c' })

  const { out, error, exitCode } = await sedge(['sync', local, `${zone}/v1/icons`])
  expect(exitCode).toBe(1)
  expect(out).toContain('2 new, 0 changed, 0 unchanged, 0 deleted, 1 failed')
  expect(error).toStartWith(`${zone}/v1/icons/bad.: The service refused (400): `)
})

test('a directory without files is not taken for the wish to delete all', async () => {
  const zone = await newZone()
  const local = await localFiles({ 'a.txt': 'a' })
  await done(['sync', local, `${zone}/v1/icons`])
  await rm(join(local, 'a.txt'))

  expect(await sedge(['sync', local, `${zone}/v1/icons`, '--delete'])).toMatchObject({
    exitCode: 2,
  })
  expect(await done(['ls', `${zone}/v1/icons`])).toContain('a.txt')
})

test('a zone goes back to a commit that its history shows', async () => {
  const zone = await newZone()
  const local = await localFiles({ 'a.txt': 'a', 'b.txt': 'b' })
  await done(['put', `${local}/a.txt`, `${zone}/v1/icons/a.txt`])
  const [, first = ''] = (await done(['history', zone])).split('\n')
  expect(first).toContain(`Put ${zone}/v1/icons/a.txt`)
  const commit = first.slice(0, 12)
  await done(['put', `${local}/b.txt`, `${zone}/v1/icons/a.txt`])

  expect(await done(['restore-zone', zone, '--commit', commit, '--dry-run'])).toContain(
    `~ ${zone}/v1/icons/a.txt`,
  )
  expect(await sedge(['restore-zone', zone, '--commit', commit])).toMatchObject({ exitCode: 2 })
  expect(await done(['restore-zone', zone, '--commit', commit, '--yes'])).toContain('takes it back')
  expect(await done(['history', zone, '--limit', '1'])).toContain(`Restore ${zone}/v1 as of`)
  expect(await done(['history', zone, '--open', 'public'])).toContain('is public')
  expect(await done(['zones', 'show', zone])).toMatch(/^History +public$/mu)
  expect(await sedge(['history', zone, '--open', 'all'])).toMatchObject({ exitCode: 2 })
  expect(await sedge(['restore-zone', zone])).toMatchObject({ exitCode: 2 })
})

test('a zone is shown, disabled, suspended and deleted', async () => {
  const zone = await newZone()
  expect(await done(['zones'])).toMatch(new RegExp(`^${zone} +0 +0 B +enabled`, 'mu'))
  await done(['zones', 'suspend', zone])
  expect(await done(['zones', 'show', zone])).toMatch(/^State +suspended$/mu)
  await done(['zones', 'resume', zone])
  expect(await sedge(['zones', 'create', zone])).toMatchObject({ exitCode: 1 })
  expect(await sedge(['zones', 'delete', zone])).toMatchObject({ exitCode: 2 })
  await done(['zones', 'delete', zone, '--yes'])
  expect(await sedge(['zones', 'show', zone])).toMatchObject({ exitCode: 4 })
  const local = await localFiles({ 'a.txt': 'a' })
  expect(await sedge(['sync', local, `${zone}/v1`])).toMatchObject({
    exitCode: 4,
    error: `There is no zone "${zone}"; sedge zones create ${zone} makes it\n`,
  })
})

test('a signed URL is good, and purges and reports are to be had', async () => {
  const zone = await newZone()
  await done(['put', '-', `${zone}/v1/private/a.txt`], 'secret')
  const url = (await done(['sign', `${zone}/v1/private/a.txt`, '--for', '5m'])).trim()
  expect(await (await fetch(url)).text()).toBe('secret')
  const { ACCESS_KEY } = testKeys
  const without = { ACCESS_KEY, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory.path }
  const asked = await runSedge(['sign', `${zone}/v1/private/a.txt`], {
    environment: { ...without, DATA_DIR: join(directory.path, 'nowhere') },
  })
  expect(asked).toMatchObject({ error: '', exitCode: 0 })
  expect(await (await fetch(asked.out.trim())).text()).toBe('secret')

  expect(await done(['purge', `${zone}/v1/private/a.txt`])).toMatch(
    /^Purged\. \d+ purges are left/u,
  )
  const tags = Array.from({ length: 31 }, (_, index) => ['--tag', `t-${index}`]).flat()
  expect(JSON.parse(await done(['purge', '--dry-run', '--json', ...tags]))).toHaveLength(2)
  expect(await sedge(['purge'])).toMatchObject({ exitCode: 2 })

  expect(await done(['insights', '--zone', zone])).toMatch(/^Requests +2$/mu)
  expect(await done(['insights', 'top', '--zone', zone])).toContain(`${zone}/v1/private/a.txt`)
  for (const report of ['countries', 'errors']) await done(['insights', report, '--zone', zone])
  expect(await done(['insights', 'asset', `${zone}/v1/private/a.txt`])).toContain('2 requests')
})

test('webhooks are registered, tested, watched and removed', async () => {
  await using receiver = await openWebhookReceiver()
  const { out, error } = await sedge(['webhooks', 'create', receiver.url, '--event', '*'])
  expect(out).toStartWith('whsec_')
  const id = /registered: (\S+)\. Its secret/u.exec(error)?.[1] ?? ''

  expect(await done(['webhooks', 'test', id])).toMatch(/^The receiver took it: 2\d\d, /u)
  const [delivery] = JSON.parse(await done(['webhooks', 'deliveries', id, '--json']))
  expect(delivery).toMatchObject({ event: 'webhook.test', state: 'delivered' })
  await done(['webhooks', 'test', id, '--event', 'zone.created'])
  const ofZones = ['webhooks', 'deliveries', id, '--event', 'zone.created', '--json']
  expect(JSON.parse(await done(ofZones))).toMatchObject([{ event: 'zone.created', test: true }])
  expect(await done(['webhooks', 'deliveries', id, '--failed'])).toBe('Nothing was sent yet\n')
  expect(await done(['webhooks', 'edit', id, '--event', 'zone.created'])).toBe(
    `Webhook ${id} is changed\n`,
  )
  expect(await done(['webhooks'])).toMatch(/healthy +0 of 2 +zone\.created +all/u)
  expect(await done(['webhooks', 'redeliver', id, delivery.id])).toBe('It will be sent again\n')
  await done(['webhooks', 'off', id])
  expect(await done(['webhooks'])).toMatch(new RegExp(`^${id} +off`, 'mu'))
  await done(['webhooks', 'delete', id])
  expect(await sedge(['webhooks', 'test', id])).toMatchObject({ exitCode: 4 })
})

test('the log is shown', async () => {
  await sedge(['zones', 'show', 'nobody'])

  expect(await done(['logs', '--service'])).toMatch(/info {3}ZoneNotFound {2}request refused/u)
  expect(await done(['logs', 'code:ZoneNotFound', '--limit', '1'])).toMatch(
    / 404 {2}\w+ +[\d.]+ ms {2}\/api\/\S+ {2}ZoneNotFound {2}[\da-f-]{36}\n$/u,
  )
})

test('people are invited, given roles, disabled and removed', async () => {
  const zone = await newZone()
  const invite = ['people', 'invite', 'Ana@example.com', '--role', 'editor', '--zone', zone]
  const invited = await sedge([...invite, '--name', 'Ana'])
  expect(invited).toMatchObject({ exitCode: 0, error: expect.stringContaining('"Ana" is invited') })
  expect(invited.out).toMatch(/\/dashboard\/invitation#[\w-]{43}\n$/u)
  expect(await done(['people', 'list'])).toContain(`Ana <ana@example.com>\n  editor of ${zone};`)

  const role = await done(['people', 'role', 'ana@example.com', '--role', 'viewer'])
  expect(role).toContain('viewer of every zone; invited')
  expect((await sedge(['people', 'link', 'ana@example.com'])).out).toContain('/invitation#')
  expect(await done(['people', 'disable', 'ana@example.com'])).toContain('; disabled;')
  expect((await sedge(['people', 'link', 'ana@example.com'])).exitCode).not.toBe(0)
  expect(await done(['people', 'enable', 'ana@example.com'])).toContain('; active;')
  await done(['people', 'remove', 'ana@example.com'])
  expect(await done(['people', 'list'])).not.toContain('ana@example.com')
  expect((await sedge(['people', 'role', 'nobody', '--role', 'viewer'])).error).toContain('Nobody')
})

test('an upload grant is made, used without a key, listed and revoked', async () => {
  const zone = await newZone()
  const terms = ['--type', 'text/*', '--max-bytes', '100', '--times', '2', '--for', '10m']
  const made = await sedge(['grant', 'create', `${zone}/v1/titles/`, ...terms])
  expect(made).toMatchObject({ exitCode: 0, error: expect.stringContaining('good until') })
  const url = made.out.trim()
  const put = (name: string, body: string) =>
    fetch(url.replace('/granted/', `/granted/${name}`), { method: 'PUT', body })
  expect((await put('a.txt', 'hello')).status).toBe(201)
  expect((await put('b.txt', 'x'.repeat(101))).status).toBe(413)
  expect(await done(['get', `${zone}/v1/titles/a.txt`, '-'])).toBe('hello')

  const listed = await done(['grant', 'list', '--zone', zone])
  expect(listed).toContain(`${zone}/v1/titles/\n  text/*; 1 of 2 stored, 0 in progress; until 2`)
  const [id = ''] = listed.split(' ')
  expect(await done(['grant', 'revoke', id])).toBe('Upload grant revoked\n')
  expect((await put('b.txt', 'hello')).status).toBe(401)
  expect(await done(['grants', 'list', '--zone', zone])).toBe('')
  expect(await sedge(['grant', 'revoke', id])).toMatchObject({ exitCode: 4 })
})

test('an account key signs in: a token takes its place, and is revoked at the end', async () => {
  const home = join(directory.path, 'home')
  const asPerson = (words: readonly string[], input = '') =>
    runSedge(words, { environment: { XDG_CONFIG_HOME: home }, input })
  const profiles = join(home, 'sedge', 'profiles.json')

  expect(await asPerson(['login', service.url], 'wrong\n')).toMatchObject({ exitCode: 3 })
  const login = await asPerson(['login', service.url], `${testKeys.ACCOUNT_KEY}\n`)
  expect(login).toMatchObject({ exitCode: 0, error: '' })
  const kept = await Bun.file(profiles).text()
  const { token } = JSON.parse(kept).profiles.local
  expect((await stat(profiles)).mode & 0o777).toBe(0o600)
  expect(kept).not.toContain(testKeys.ACCOUNT_KEY)
  expect(login.out).not.toContain(token)
  expect((await asPerson(['profile'])).out).not.toContain(token)

  expect(await asPerson(['zones', 'list'])).toMatchObject({ exitCode: 0 })
  expect(await asPerson(['zones', '--profile', 'other'])).toMatchObject({ exitCode: 3 })
  await asPerson(['login', service.url, '--profile', 'data'], testKeys.ACCESS_KEY)
  expect(await asPerson(['zones'])).toMatchObject({ exitCode: 3 })
  expect(await asPerson(['ls'])).toMatchObject({ exitCode: 0 })
  expect(await asPerson(['profile', 'use', 'local'])).toMatchObject({ exitCode: 0 })
  expect(await asPerson(['zones'])).toMatchObject({ exitCode: 0 })

  await chmod(profiles, 0o644)
  expect(await asPerson(['zones'])).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('chmod 600'),
  })
  await chmod(profiles, 0o600)

  expect(await asPerson(['logout'])).toMatchObject({ exitCode: 0, error: '' })
  const refused = await fetch(`${service.url}/api/core/zones`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(refused.status).toBe(401)
})

test("a profile's credentials go to its own service alone", async () => {
  const home = join(directory.path, 'own')
  const environment = { XDG_CONFIG_HOME: home }
  await runSedge(['login', service.url], { environment, input: testKeys.ACCOUNT_KEY })
  const seen: (string | null)[] = []
  await using other = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ headers }) {
      seen.push(headers.get('authorization'))
      return Response.json([])
    },
  })
  await runSedge(['zones', '--url', other.url.href], { environment })
  const mixed = await runSedge(['zones', '--url', other.url.href, '--profile', 'local'], {
    environment,
  })

  expect(seen).toEqual([null])
  expect(mixed).toMatchObject({ exitCode: 2, error: expect.stringContaining('is for') })
})

test('a bar is drawn for a person, and for nobody else', async () => {
  const zone = await newZone()
  const local = await localFiles({ 'a.txt': 'a', 'b.txt': 'b' })
  const environment = { ...testKeys, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory.path }
  const seen = await runSedge(['sync', local, `${zone}/v1/icons`], { environment, isTTY: true })
  const piped = await runSedge(['sync', local, `${zone}/v1/more`], { environment })

  expect(seen.error).toContain('█')
  expect(piped.error).toBe('')
})

test('nothing that others wrote moves the cursor of a terminal', async () => {
  await using hostile = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      Response.json({ error: { code: 'NotFound', message: '\u001b[2Jgone' } }, { status: 404 }),
  })
  const { error } = await runSedge(['zones', 'show', 'a', '--url', hostile.url.href], {
    environment: { XDG_CONFIG_HOME: directory.path },
  })

  expect(error).toContain('\ufffd[2Jgone')
})

test('where no service answers, the way to start one is told', async () => {
  const nobody = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { href } = nobody.url
  await nobody.stop(true)

  expect(await sedge(['ls', '--url', href])).toMatchObject({
    exitCode: 5,
    error: expect.stringContaining('npx sedge serve'),
  })
})

for (const [words, hint] of [
  [['snyc'], 'Did you mean sedge sync?'],
  [['help', 'zone-'], 'Did you mean sedge zones?'],
  [['sync', 'a', 'b', '--dleete'], 'Did you mean --delete?'],
  [['zones', 'craete', 'a'], 'Did you mean create?'],
  [['webhooks', 'create', 'https://a.test'], '--event'],
  [['put', 'nowhere.txt', 'a/v1/a.txt'], 'There is no file nowhere.txt'],
  [['put', '.', 'a/v1/a.txt'], 'sedge sync'],
  [['get', 'a/../b'], '. or ..'],
  [['sign', 'a/v1/a.txt', '--for', '8d'], 'seven days'],
  [['sign', 'a/v1/a.txt', '--expires', '1d'], 'Did you mean --for?'],
  [['grant', 'create'], 'Name one file'],
  [['grant', 'create', 'a/v1/', '--times', '0'], '--times'],
  [['grant', 'create', 'a/v1/', '--for', '8d'], 'seven days'],
  [['grant', 'revoke'], 'revoke <id>'],
  [['grant', 'frobnicate'], 'create, list or revoke'],
  [['ls', '--url', 'nonsense'], 'is not a URL'],
  [['logs', '--level', 'loud'], 'info, warn, error'],
  [['insights', '--days', '0'], '1 to 90'],
] as const)
  test(`wrong use is answered with what would be right: ${words.join(' ')}`, async () => {
    const { exitCode, error, out } = await sedge(words)

    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(error).toContain(hint)
  })

test('the log is followed as it is written, until it is told to end', async () => {
  const child = Bun.spawn(
    [
      process.execPath,
      '--no-orphans',
      join(root, 'src', 'cli', 'main.ts'),
      'logs',
      'tail',
      'code:ZoneNotFound',
      '--json',
    ],
    {
      env: { ...testKeys, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory.path },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const reader = child.stdout.getReader()
  const first = reader.read()
  let line: Awaited<typeof first> | undefined
  while (line === undefined) {
    await sedge(['zones', 'show', 'nobody'])
    line = await Promise.race([first, Bun.sleep(50).then(() => undefined)])
  }
  child.kill('SIGINT')

  expect(JSON.parse(new TextDecoder().decode(line.value).split('\n')[0] ?? '')).toMatchObject({
    code: 'ZoneNotFound',
    level: 'warn',
    status: 404,
  })
  await child.exited
})

test('what cannot be undone is asked for at a terminal', async () => {
  const zone = await newZone()
  const environment = { ...testKeys, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory.path }
  const ask = (input: string) =>
    runSedge(['zones', 'delete', zone], { environment, isTTY: true, input })

  expect(await ask('yes\n')).toMatchObject({ exitCode: 1 })
  expect(await done(['zones', 'show', zone])).toContain(zone)
  expect(await ask(`${zone}\n`)).toMatchObject({ exitCode: 0 })
  expect(await sedge(['zones', 'show', zone])).toMatchObject({ exitCode: 4 })
})

test('whoever reads only the beginning of the output gets it without complaints', async () => {
  await using talkative = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      Response.json(Array.from({ length: 50_000 }, (_, index) => ({ Name: `zone-${index}` }))),
  })
  const command = `"${process.execPath}" --no-orphans src/cli/main.ts zones --json | head -n 1`
  const child = Bun.spawn(['bash', '-c', command], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      SEDGE_URL: talkative.url.href,
      XDG_CONFIG_HOME: directory.path,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

  expect(await new Response(child.stdout).text()).toBe('[\n')
  expect(await new Response(child.stderr).text()).toBe('')
})

test('assets are described, tagged and read again', async () => {
  const zone = await newZone()
  const local = await localFiles({ 'a.txt': 'one', 'b.txt': 'two' })
  await done(['put', join(local, 'a.txt'), join(local, 'b.txt'), `${zone}/v1/texts/`])
  const [a = '', b = ''] = ['a', 'b'].map((name) => `${zone}/v1/texts/${name}.txt`)
  expect(await done(['describe', a])).toBe('Nothing is known of it\n')

  const said = [
    '--title',
    'First',
    '--alt',
    'en=One',
    '--field',
    'year=2026',
    '--field',
    'season=summer',
  ]
  const { Metadata, MetadataSources, MetadataETag } = JSON.parse(
    await done(['describe', a, ...said, '--expires', '2090-01-31T00:00:00Z', '--json']),
  )
  expect(Metadata).toMatchObject({
    Title: 'First',
    Alt: { en: 'One' },
    Custom: { year: 2026, season: 'summer' },
    Expires: '2090-01-31T00:00:00.000Z',
  })
  expect(MetadataSources.Title).toBe('person')
  expect(
    await done(['describe', a, '--clear', 'expires', '--if-match', MetadataETag]),
  ).not.toContain('Expires')
  expect((await sedge(['describe', a, '--title', 'x', '--if-match', MetadataETag])).exitCode).toBe(
    1,
  )

  expect(await done(['tag', a, b, '--add', 'Brand', '--add', 'old', '--dry-run'])).toContain(
    '2 would change',
  )
  expect(await done(['tag', a, b, '--add', 'Brand', '--add', 'old'])).toBe(
    '2 changed, 0 as they were\n',
  )
  expect(await done(['tag', '-r', `${zone}/v1/texts`, '--remove', 'old'])).toContain('2 changed')
  expect(JSON.parse(await done(['tag', a, b, '--json']))).toEqual([
    { path: a, tags: ['brand'] },
    { path: b, tags: ['brand'] },
  ])
})

test('what cannot be meant is refused before the service is asked', async () => {
  for (const words of [
    ['tag'],
    ['describe'],
    ['describe', 'a', 'b'],
    ['describe', 'a', '--alt', 'English'],
    ['describe', 'a', '--focal-point', '2,0'],
    ['describe', 'a', '--clear', 'everything'],
  ])
    expect((await sedge(words)).exitCode).toBe(2)
})
