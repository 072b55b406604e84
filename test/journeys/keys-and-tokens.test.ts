import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { openLocalService } from '../support/local-service.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'

const cli = join(import.meta.dir, '..', '..', 'src', 'cli', 'main.ts')

/** Keys come from the data directory alone, so nothing else is set. */
async function sedge(
  words: readonly string[],
  { dataDirectory, input = '', ...more }: Readonly<Record<string, string>>,
) {
  const child = Bun.spawn([process.execPath, cli, ...words], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDirectory ?? '', ...more },
    stdio: [new Blob([input]), 'pipe', 'pipe'],
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { out, error, exitCode: await child.exited }
}

const noKeys = Object.fromEntries(Object.keys(testKeys).map((name) => [name, '']))

test('a key is rotated, both are good, and the former is retired', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = directory.path
  const keysFile = join(dataDirectory, 'keys.json')
  const statusOf = async (...accountKeys: string[]) => {
    await using service = await openLocalService({ dataDirectory, environment: noKeys })
    const statuses = accountKeys.map(
      async (AccountKey) =>
        (await fetch(`${service.url}/api/core/zones`, { headers: { AccountKey } })).status,
    )
    return await Promise.all(statuses)
  }
  await statusOf()
  const former = (await Bun.file(keysFile).json()).ACCOUNT_KEY
  const rotated = await sedge(['keys', 'rotate', 'ACCOUNT_KEY'], { dataDirectory })
  expect(rotated).toMatchObject({ exitCode: 0, error: '' })
  const current = /^ACCOUNT_KEY=(\S+)$/mu.exec(rotated.out)?.[1] ?? ''
  expect(current).toMatch(/^[\w-]{43}$/u)
  expect(await statusOf(former, current, 'neither')).toEqual([200, 200, 401])
  expect((await sedge(['keys'], { dataDirectory })).out).toMatch(
    /^ACCOUNT_KEY +in \S+keys\.json; a former one is still good$/mu,
  )
  expect(await sedge(['keys', 'rotate', 'ACCOUNT_KEY'], { dataDirectory })).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('sedge keys retire ACCOUNT_KEY'),
  })
  expect(await sedge(['keys', 'retire', 'ACCOUNT_KEY'], { dataDirectory })).toMatchObject({
    exitCode: 0,
  })
  expect(await statusOf(former, current)).toEqual([401, 200])
}, 60_000)

test('a key is printed alone, for a person or a shell to take', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = directory.path
  const show = (name: string, more = {}) =>
    sedge(['keys', 'show', name], { dataDirectory, ...more })
  expect(await show('DASHBOARD_PASSWORD')).toMatchObject({ exitCode: 4, out: '' })
  {
    await using _service = await openLocalService({ dataDirectory, environment: noKeys })
  }
  const kept = await Bun.file(join(dataDirectory, 'keys.json')).json()

  for (const name of ['ACCESS_KEY', 'DASHBOARD_PASSWORD'])
    expect(await show(name)).toEqual({ exitCode: 0, error: '', out: `${kept[name]}\n` })
  expect((await show('ACCESS_KEY', { ACCESS_KEY: 'from outside' })).out).toBe('from outside\n')
  expect(await show('PATH')).toMatchObject({ exitCode: 2, out: '' })
  expect((await sedge(['keys'], { dataDirectory })).out).not.toContain(kept.ACCESS_KEY)
  await sedge(['keys', 'set-password'], { dataDirectory, input: 'correct horse battery\n' })
  expect(await show('DASHBOARD_PASSWORD')).toMatchObject({
    exitCode: 1,
    out: '',
    error: expect.stringContaining('sedge keys set-password'),
  })
}, 60_000)

test('a password set at the terminal is kept as a hash, counts, and can be switched off', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = directory.path
  const signIn = async (password: string) => {
    await using service = await openLocalService({ dataDirectory, environment: noKeys })
    const response = await fetch(`${service.url}/dashboard/login`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ password }),
    })
    return response.status
  }
  const input = 'correct horse battery\n'
  const set = await sedge(['keys', 'set-password'], { dataDirectory, input })
  expect(set).toMatchObject({ exitCode: 0, error: '' })
  const kept = await Bun.file(join(dataDirectory, 'keys.json')).text()
  expect(kept).toContain('$argon2id$')
  expect(kept).not.toContain('correct')
  expect(await signIn('correct horse battery')).toBe(303)
  expect(await signIn('correct horse')).toBe(401)
  const short = await sedge(['keys', 'set-password'], { dataDirectory, input: 'short\n' })
  expect(short).toMatchObject({ exitCode: 2 })
  expect(await signIn('correct horse battery')).toBe(303)
  expect(await sedge(['keys', 'set-password', '--disable'], { dataDirectory })).toMatchObject({
    exitCode: 0,
  })
  expect(await signIn('!')).toBe(401)
}, 60_000)

test('commands about keys that make no sense change nothing', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = directory.path
  for (const [words, message] of [
    [['keys', 'toString'], 'There is no "sedge keys toString"'],
    [['keys', 'rotate'], 'Name at least one key'],
    [['keys', 'rotate', 'NO_KEY'], 'There is no key NO_KEY'],
    [['keys', 'rotate', 'ACCESS_KEY'], 'is not in'],
    [['keys', 'rotate', 'DASHBOARD_PASSWORD'], 'set-password'],
    [['keys', 'retire', 'ACCESS_KEY'], 'There is no ACCESS_KEY_PREVIOUS'],
    [['keys', 'set-password', 'secret'], 'never from the command line'],
    [['keys', '--disable'], 'goes with set-password'],
  ] as const) {
    const result = await sedge(words, { dataDirectory })
    expect(result).toMatchObject({ exitCode: 2, error: expect.stringContaining(message) })
  }
  const fromEnvironment = await sedge(['keys', 'rotate', 'ACCESS_KEY'], {
    dataDirectory,
    ACCESS_KEY: 'mine',
  })
  expect(fromEnvironment.error).toContain('ACCESS_KEY_PREVIOUS')
  expect(await Bun.file(join(dataDirectory, 'keys.json')).exists()).toBe(false)
}, 60_000)

test('a token is created, listed and revoked from the command line', async () => {
  await using directory = await temporaryDirectory()
  await using service = await openLocalService({
    dataDirectory: directory.path,
    environment: { ACCOUNT_KEY: '' },
  })
  const token = (...words: string[]) =>
    sedge(['token', ...words, '--url', service.url], { dataDirectory: directory.path })
  const created = await token('create', '--name', 'ci', '--scope', 'zones:read', '--days', '7')
  expect(created.exitCode).toBe(0)
  const secret = created.out.trim()
  const listZones = async () =>
    (
      await fetch(`${service.url}/api/core/zones`, {
        headers: { Authorization: `Bearer ${secret}` },
      })
    ).status
  expect(await listZones()).toBe(200)

  const { out } = await token('list')
  expect(out).toContain(`${secret.slice(0, 10)}…  ci\n  zones:read in every zone; until `)
  expect(out).not.toContain(secret)
  const id = /^(\S+)/u.exec(out)?.[1] ?? ''
  expect(await token('revoke', id)).toMatchObject({ exitCode: 0, out: 'Token "ci" revoked\n' })
  expect(await listZones()).toBe(401)

  expect(await token('revoke', id)).toMatchObject({
    exitCode: 4,
    error: 'The service refused (404): There is no token with this id\n',
  })
  const unknown = await token('create', '--name', 'x', '--scope', 'everything')
  expect(unknown).toMatchObject({ exitCode: 1, error: expect.stringContaining('scopes[0]') })
  for (const words of [['create'], ['create', '--name', 'x'], ['revoke'], ['drop'], []])
    expect((await token(...words)).exitCode).toBe(2)
}, 60_000)
