import { expect, test } from 'bun:test'

import { tarArchive } from '../../src/client/tar-archive.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { testKeys } from '../support/service-process.ts'

type Line = Readonly<Record<string, unknown>>

const archive = (textByPath: Readonly<Record<string, string>>) =>
  new Blob([
    ...tarArchive(
      Object.entries(textByPath).map(([path, text]) => ({
        path,
        bytes: new TextEncoder().encode(text),
      })),
    ),
  ])

interface Sent {
  readonly body: BodyInit
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function send(service: InProcessService, { body, query = '', headers = {} }: Sent) {
  const response = await service.storage('POST', `archive${query}`, { body, headers })
  const text = await response.text()
  const isLines = response.headers.get('content-type') === 'application/x-ndjson'
  const lines = isLines ? text.trim().split('\n') : [text]
  return { status: response.status, lines: lines.map((line) => JSON.parse(line) as Line) }
}

test('the files of an archive are stored, delivered, and told one by one', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const body = archive({
    './a.txt': 'hello',
    'sub/b.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  const { status, lines } = await send(service, { body, query: '?directory=acme/v1/icons' })
  expect(status).toBe(200)
  expect(lines.map(({ Path, Outcome }) => [Path, Outcome])).toEqual([
    ['clients/acme/v1/icons/a.txt', 'created'],
    ['clients/acme/v1/icons/sub/b.svg', 'created'],
    [undefined, undefined],
  ])
  const { Commit } = lines[0] ?? {}
  expect(lines[2]).toMatchObject({ HttpCode: 200, Code: null, Created: 2, Commits: [Commit] })
  const got = await service.fetch('/acme/v1/icons/a.txt')
  expect(await got.text()).toBe('hello')

  const again = await send(service, { body, query: '?directory=acme/v1/icons' })
  expect(again.lines[2]).toMatchObject({ Unchanged: 2, Created: 0, Commits: [] })
  const audit = await service.core('GET', 'audit-logs?action=storage.archive')
  expect(await audit.text()).toContain('"storage.archive"')
})

test('no name leads out of where the files go', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await service.createZone('other')
  const hostile = [
    '../../other/v1/icons/x.txt',
    '/other/v1/x.txt',
    'a/../../../../other/v1/x.txt',
    'a//b.txt',
    '.git/config',
    'a/.GIT/config',
    'a\\b.txt',
    'line\nbreak.txt',
    'x'.repeat(300),
    'y/'.repeat(600),
  ]
  const textByPath = Object.fromEntries([...hostile, 'good.txt'].map((path) => [path, 'x']))
  const { lines } = await send(service, {
    body: archive(textByPath),
    query: '?directory=acme/v1/icons',
  })
  expect(lines.at(-1)).toMatchObject({ Created: 1, HttpCode: 200 })
  for (const line of lines.filter(({ Outcome }) => Outcome === 'refused'))
    expect(line).toMatchObject({ HttpCode: 400, Code: 'InvalidParameter' })
  expect((await service.fetch('/other/v1/x.txt')).status).toBe(404)
})

test('an archive that is none, is compressed or goes nowhere is refused, and stores nothing', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const good = await archive({ 'a.txt': 'hello' }).bytes()
  const icons = '?directory=acme/v1/icons'
  for (const body of ['', 'hello', Bun.gzipSync(good), good.slice(0, 700), good.slice(0, 1024)])
    expect((await send(service, { body, query: icons })).lines[0]).toMatchObject({
      HttpCode: 400,
      error: { code: 'InvalidParameter', target: 'body' },
    })
  const coded = await send(service, {
    body: good,
    query: icons,
    headers: { 'Content-Encoding': 'gzip' },
  })
  expect(coded.status).toBe(415)
  for (const directory of ['acme/../other', '/etc', 'acme/v1//x', 'UPPER'])
    expect(
      (await send(service, { body: good, query: `?directory=${directory}` })).status,
    ).toBeLessThan(500)
  const nowhere = await send(service, { body: good, query: '?directory=nobody/v1/icons' })
  expect(nowhere.lines[0]).toMatchObject({
    Outcome: 'refused',
    HttpCode: 404,
    Code: 'ZoneNotFound',
  })
  expect((await service.fetch('/acme/v1/icons/a.txt')).status).toBe(404)
})

test('an archive that breaks off after a commit says so in its last line', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  const files = ['one', 'two'].map((text) => ({
    path: 'a.txt',
    bytes: new TextEncoder().encode(text),
  }))
  const twice = new Blob(tarArchive(files).slice(0, -1))
  const { status, lines } = await send(service, { body: twice, query: '?directory=acme/v1/icons' })
  expect(status).toBe(200)
  expect(lines[0]).toMatchObject({ Outcome: 'created' })
  expect(lines[1]).toMatchObject({ HttpCode: 400, Code: 'InvalidParameter', Created: 1 })
  expect(await (await service.fetch('/acme/v1/icons/a.txt')).text()).toBe('one')
})

test('an archive goes into a preview, and only where its zone is known', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await service.core('POST', 'zones/acme/previews', { Name: 'next' })
  const preview = { 'Sedge-Preview': 'next' }
  const body = archive({ 'a.txt': 'hello' })
  const into = await send(service, { body, query: '?directory=acme/v1/icons', headers: preview })
  expect(into.lines[0]).toMatchObject({ Outcome: 'created' })
  expect((await service.fetch('/acme/v1/icons/a.txt')).status).toBe(404)
  expect((await send(service, { body, headers: preview })).status).toBe(400)
})

test('a token for some zones stores nothing in others, and is not told whether they are there', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await service.createZone('bolt')
  const account = { AccountKey: testKeys.ACCOUNT_KEY, 'Content-Type': 'application/json' }
  const asked = { name: 'narrow', scopes: ['storage:write'], zones: ['acme'] }
  const { token } = await (
    await service.fetch('/api/tokens', {
      method: 'POST',
      headers: account,
      body: JSON.stringify(asked),
    })
  ).json()
  const files = {
    'acme/v1/icons/a.txt': 'a',
    'bolt/v1/icons/a.txt': 'a',
    'void/v1/icons/a.txt': 'a',
  }
  const response = await service.fetch('/api/storage/archive', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: archive(files),
  })
  const lines = (await response.text()).trim().split('\n')
  const [own, foreign, absent] = lines.map((line) => JSON.parse(line) as Line)

  expect(own).toMatchObject({ Outcome: 'created' })
  expect(foreign).toMatchObject({ Outcome: 'refused' })
  const saidOf = (line: Line | undefined, zone: string) => [
    line?.['Code'],
    String(line?.['Message']).replaceAll(zone, 'zone'),
  ]
  expect(saidOf(foreign, 'bolt')).toEqual(saidOf(absent, 'void'))
  expect((await service.fetch('/bolt/v1/icons/a.txt')).status).toBe(404)
})
