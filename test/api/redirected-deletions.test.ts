import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'

const undo = new AsyncDisposableStack()
let service: InProcessService
let zone = ''
let zoneCount = 0

beforeAll(async () => void (service = undo.use(await openInProcess())), 30_000)
afterAll(() => undo.disposeAsync())
beforeEach(async () => {
  zoneCount += 1
  zone = `zone-${zoneCount}`
  await service.createZone(zone)
  for (const name of ['kept', 'copy', 'other'])
    await service.storage('PUT', `${zone}/v1/logos/${name}.svg`, { body: `<svg id="${name}"/>` })
})

async function post(path: string, body: unknown, headers: Record<string, string> = access) {
  const response = await service.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}

const logo = (name: string): string => `${zone}/v1/logos/${name}.svg`

async function locationOf(name: string): Promise<string> {
  const response = await service.fetch(`/${logo(name)}`, { redirect: 'manual' })
  await response.arrayBuffer()
  return `${response.status} ${response.headers.get('location') ?? ''}`.trim()
}

const rules = async (): Promise<string> => {
  const response = await service.fetch('/api/core/rules', { headers: account })
  return ((await response.json()) as { readonly Redirects: string | null }).Redirects ?? ''
}

const setRules = (Content: string) => service.core('POST', 'rules', { File: '_redirects', Content })

const deleteInstead = (Paths: readonly string[], RedirectTo: string, more = {}) =>
  post('/api/storage/delete', { Paths, RedirectTo, ...more })

test('files are deleted and lead to another in one commit, which is taken back to the letter', async () => {
  const former = `# ours\n/old /${logo('kept')} 302\n/${logo('copy')} /elsewhere 301\n`
  await setRules(former)
  const { json: before } = await post('/api/storage/delete', {
    Paths: [logo('kept')],
    DryRun: true,
  })
  const { status, json } = await deleteInstead([logo('copy'), logo('other')], logo('kept'))

  expect([status, json['Files']]).toEqual([200, 2])
  expect(before['Commit']).toBeNull()
  expect(await locationOf('copy')).toBe(`301 /${logo('kept')}`)
  expect(await locationOf('other')).toBe(`301 /${logo('kept')}`)
  expect(await locationOf('kept')).toBe('200')

  const undone = await post('/api/assets/undo', { Commit: json['Commit'] })
  expect([undone.status, undone.json['Added']]).toEqual([200, 2])
  expect(await locationOf('other')).toBe('200')
  // As it did before: that rule was somebody's own.
  expect(await locationOf('copy')).toBe('301 /elsewhere')
  expect(await rules()).toBe(former)
})

test('rules that were written since stay when it is taken back', async () => {
  await setRules('')
  const { json } = await deleteInstead([logo('copy')], logo('kept'))
  const written = await rules()
  await setRules(`${written}/new /${logo('kept')} 302\n`)
  await post('/api/assets/undo', { Commit: json['Commit'] })

  expect(await rules()).toBe(`/new /${logo('kept')} 302\n`)
  expect(await locationOf('copy')).toBe('200')
})

test('a target that is none is refused, and nothing is deleted', async () => {
  for (const [paths, target, status] of [
    [[logo('copy')], logo('none'), 404],
    [[logo('copy')], logo('copy'), 400],
    [[logo('copy')], `${zone}/v1/icons/`, 400],
    [[`${zone}/v1/logos/`], logo('kept'), 400],
  ] as const)
    expect((await deleteInstead(paths, target)).status).toBe(status)
  expect(await locationOf('copy')).toBe('200')
})

test('a dry run changes neither files nor rules, and a token for a zone may not change rules', async () => {
  const former = await rules()
  const dry = await deleteInstead([logo('copy')], logo('kept'), { DryRun: true })
  expect([dry.status, dry.json['Commit']]).toEqual([200, null])
  expect([await locationOf('copy'), await rules()]).toEqual(['200', former])

  const scopes = ['storage:read', 'storage:write']
  const { json } = await post('/api/tokens', { name: 't', scopes, zones: [zone] }, account)
  const token = { Authorization: `Bearer ${String(json['token'])}` }
  const refused = await post(
    '/api/storage/delete',
    { Paths: [logo('copy')], RedirectTo: logo('kept') },
    token,
  )
  expect(refused.status).toBe(403)
})
