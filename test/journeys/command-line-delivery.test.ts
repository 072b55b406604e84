import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'

import { version } from '../../package.json'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import {
  access,
  type TemporaryDirectory,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { runSedge } from '../support/terminal.ts'

let directory: TemporaryDirectory
let service: LocalService

beforeAll(async () => {
  directory = await temporaryDirectory()
  service = await openLocalService({
    dataDirectory: join(directory.path, 'data'),
    environment: { SEARCH_BY_NAME_ONLY: 'true', BASE_URL: 'https://cdn.example' },
  })
  await done(['zones', 'create', 'acme'])
  await done(
    ['put', '-', 'acme/v1/logos/green-mark.svg'],
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
  )
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await directory[Symbol.asyncDispose]()
})

interface Sitting {
  readonly input?: string
  readonly isTTY?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

const sedge = (words: readonly string[], { environment, ...sitting }: Sitting = {}) =>
  runSedge(words, {
    environment: {
      ...testKeys,
      SEDGE_URL: service.url,
      XDG_CONFIG_HOME: directory.path,
      ...environment,
    },
    ...sitting,
  })

/** The same, and it has to succeed. */
async function done(words: readonly string[], input?: string): Promise<string> {
  const { out, error, exitCode } = await sedge(words, input === undefined ? {} : { input })
  expect({ words, error, exitCode }).toEqual({ words, error: '', exitCode: 0 })
  return out
}

for (const words of [['--version'], ['-v'], ['version']])
  test(`sedge ${words[0]} says which it is`, async () => {
    expect(await done(words)).toBe(`sedge ${version}\n`)
  })

test('status names the service and each of its parts', async () => {
  const out = await done(['status'])
  expect(out).toStartWith(`${service.url}  Sedge ${version}  healthy\n`)
  expect(out).toMatch(/^ {2}database +healthy {2}\d+ ms$/mu)
  expect(JSON.parse(await done(['status', '--json']))).toMatchObject({
    url: service.url,
    status: 'ok',
  })
})

test('what is healthy is green on a terminal, unless colours are not wanted', async () => {
  const { out } = await sedge(['status'], { isTTY: true })
  expect(out).toContain('\u001b[32mhealthy\u001b[39m')
  const plain = await sedge(['status'], { isTTY: true, environment: { NO_COLOR: '1' } })
  expect(plain.out).not.toContain('\u001b')
})

test('open prints an address and hands it to the browser that is named', async () => {
  const browser = join(directory.path, 'browser')
  const asked = join(directory.path, 'asked')
  await Bun.write(browser, `#!/bin/sh\nprintf %s "$1" > ${asked}.tmp && mv ${asked}.tmp ${asked}\n`)
  await chmod(browser, 0o755)

  const { out } = await sedge(['open', '/acme/v1/logos/green-mark.svg'], {
    environment: { BROWSER: browser },
  })
  const url = `${service.url}/dashboard/assets?asset=acme%2Fv1%2Flogos%2Fgreen-mark.svg`
  expect(out).toBe(`${url}\n`)
  while (!(await Bun.file(asked).exists())) await new Promise((next) => setImmediate(next))
  expect(await Bun.file(asked).text()).toBe(url)
  expect(await done(['open', '--print'])).toBe(`${service.url}/dashboard/\n`)
})

test('search finds what is stored, and says where nothing matches', async () => {
  expect(await done(['search', 'green', 'mark'])).toMatch(
    /^acme\/v1\/logos\/green-mark\.svg +image\/svg\+xml +\d+ B {2}(?:high|medium)$/mu,
  )
  expect(await done(['search', 'zebra', 'crossing'])).toMatch(/^Nothing matches/u)
})

test('rules are checked, set, shown and explained, for all zones and for one', async () => {
  const file = join(directory.path, 'redirects')
  await Bun.write(file, '/acme/v1/old/*  /acme/v1/logos/:splat  301\n')
  expect(await done(['rules', 'explain', '/acme/v1/old/a.svg'])).toContain(
    'No rule is for this URL',
  )
  const draft = ['rules', 'explain', '/acme/v1/old/a.svg', '--draft', file]
  expect(await done(draft)).toContain('It is redirected (301) to /acme/v1/logos/a.svg')
  await done(['rules', 'check', 'redirects', file])
  expect(await done(['rules', 'show', 'redirects'])).toBe('')

  await done(['rules', 'set', '_redirects', file])
  expect(await done(['rules', 'show', 'redirects'])).toContain('/acme/v1/old/*')
  expect(await done(['rules', 'explain', '/acme/v1/old/a.svg'])).toContain('redirected (301)')

  await done(['rules', 'set', 'headers', '-', '--zone', 'acme'], '/v1/logos/*\n  X-Of: acme\n')
  expect(await done(['rules', '--zone', 'acme'])).toContain('X-Of: acme')
})

test('what is wrong with a rule file is said by line, and nothing is changed', async () => {
  const { exitCode, error } = await sedge(['rules', 'set', 'redirects', '-'], { input: '/a\n' })
  expect(exitCode).toBe(1)
  expect(error).toContain('line 1')
})

test('host names are added with what to set, listed, shown and removed', async () => {
  const added = await done(['domains', 'add', 'acme', 'img.acme.example'])
  expect(added).toContain('img.acme.example  CNAME  cdn.example')
  expect(added).toMatch(/TXT {2}\S+/u)
  expect(await done(['domains'])).toMatch(/^img\.acme\.example +acme +verified +provisioning/mu)
  expect(await done(['domains', 'show', 'acme', 'img.acme.example'])).toContain(
    'img.acme.example  CNAME  cdn.example',
  )
  expect(await sedge(['domains', 'remove', 'acme', 'img.acme.example'])).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('Say --yes'),
  })
  await done(['domains', 'remove', 'acme', 'img.acme.example', '--yes'])
  expect(await done(['domains', 'list', 'acme'])).toStartWith('There is no host name yet')
})

test('limits show what is left of each bound', async () => {
  expect(await done(['limits', 'acme'])).toMatch(/^WHAT +OF +USED +LIMIT/u)
})

test('usage shows what is stored and used, by zone and by day, and as the service has it', async () => {
  const [period, head, acme, ...others] = (await done(['usage', '--days', '2', 'acme'])).split('\n')
  expect(period).toMatch(/^\d{4}-\d{2}-\d{2} to \d{4}-\d{2}-\d{2}, acme$/u)
  expect(head).toMatch(/^ZONE +STORED +FILES +TRAFFIC +REQUESTS +TRANSFORMS +UPLOADS +AI CALLS$/u)
  expect(acme).toMatch(/^acme +\d+ B +\d+ /u)
  expect(others).toEqual([''])
  const month = new Date().toISOString().slice(0, 7)
  expect(await done(['usage', '--month', month])).toMatch(/^acme +.*\n\(all\) /mu)
  expect(await done(['usage', '--days', '2', '--daily'])).toMatch(
    /^DATE .*\n[\d-]{10} .*\n[\d-]{10} /mu,
  )

  const { Totals, Zones } = JSON.parse(await done(['usage', '--days', '2', '--json'])) as {
    readonly Totals: unknown
    readonly Zones: readonly { readonly Zone: string }[]
  }
  expect(Totals).toMatchObject({ StoredBytes: expect.any(Number), Files: expect.any(Number) })
  expect(Zones.map(({ Zone }) => Zone)).toContain('acme')
  const served = await fetch(`${service.url}/api/usage?days=2&format=csv`, {
    headers: access,
  })
  expect(await done(['usage', '--days', '2', '--csv'])).toBe(await served.text())
})

test('usage of a period that is none or not kept is refused', async () => {
  for (const words of [
    ['--days', '0'],
    ['--days', '2', '--month', '2027-01'],
    ['--to', '2027-01-01'],
    ['--csv', '--json'],
    ['acme', 'other'],
  ])
    expect(await sedge(['usage', ...words])).toMatchObject({ exitCode: 2, out: '' })
  for (const words of [
    ['--month', '2001-01'],
    ['--month', 'May'],
    ['--from', '9999-01-01'],
  ])
    expect(await sedge(['usage', ...words])).toMatchObject({ exitCode: 1, out: '' })
})

test('purging everything is asked for once more', async () => {
  expect(await sedge(['purge', '--everything'])).toMatchObject({ exitCode: 2, out: '' })
  expect(await sedge(['purge', '--everything'], { isTTY: true, input: 'no\n' })).toMatchObject({
    exitCode: 1,
  })
  expect(await done(['purge', '--everything', '--dry-run'])).toContain('everything: 1 asset')
  expect(await done(['purge', '--everything', '--yes'])).toContain('purges are left today')
})

test('completion is told zones and what a directory has, and nothing where no service answers', async () => {
  expect(await done(['stored-names', 'ac'])).toBe('acme/\n')
  expect(await done(['stored-names', '--zones', ''])).toBe('acme\n')
  expect(await done(['stored-names', 'acme/v1/logos/gr'])).toBe('acme/v1/logos/green-mark.svg\n')
  expect(await done(['stored-names', 'ac', '--url', 'http://127.0.0.1:9'])).toBe('')
})
