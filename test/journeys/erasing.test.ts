import { expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'
import { until } from '../support/until.ts'

interface Erasure {
  readonly Id: string
  readonly State: string
  readonly Sha256: readonly string[]
  readonly Files: readonly string[]
  readonly Commits: number | null
  readonly Places: readonly { readonly Place: string; readonly State: string }[]
}

const svg = (word: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><title>${word}</title></svg>`
const sha256Of = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const icon = 'acme/v1/icons/a.svg'
const copy = 'acme/v1/icons/copy.svg'

async function openZone(): Promise<InProcessService> {
  const service = await openInProcess()
  await service.createZone('acme')
  await service.core('PATCH', 'zones/acme', { History: 'public' })
  return service
}

async function put(service: InProcessService, path: string, body: string): Promise<string> {
  const response = await service.storage('PUT', path, { body })
  expect([200, 201]).toContain(response.status)
  const found = await service.fetch(`/api/assets/metadata?path=${path}`, { headers: access })
  return ((await found.json()) as { Commit: string }).Commit
}

async function erase(service: InProcessService, body: Readonly<Record<string, unknown>>) {
  const response = await service.core('POST', 'erasures', { Reason: 'It must go', ...body })
  expect(response.status).toBe(202)
  return (await response.json()) as Erasure
}

const codeOf = async (response: Response | Promise<Response>) => (await response).status

test('erased bytes are refused at once at every address, and taken in by none', async () => {
  await using service = await openZone()
  const first = await put(service, icon, svg('first'))
  await put(service, icon, svg('second'))
  await put(service, copy, svg('first'))
  await put(service, 'acme/v1/icons/other.svg', svg('other'))
  const transform = (path: string) =>
    `/api/transform?url=${encodeURIComponent(path)}&w=4&format=png`
  expect(await codeOf(service.fetch(transform(`/${copy}`)))).toBe(200)
  expect(await codeOf(service.fetch(`/@${first}/${icon}`))).toBe(200)
  expect(await codeOf(service.fetch(`/${copy}`))).toBe(200)

  await erase(service, { Sha256: sha256Of(svg('first')), Confirm: sha256Of(svg('first')) })

  for (const path of [
    `/${copy}`,
    `/@${first}/${icon}`,
    transform(`/${copy}`),
    transform(`/@${first}/${icon}`),
  ])
    expect([path, await codeOf(service.fetch(path))]).toEqual([path, 451])
  expect(await codeOf(service.storage('GET', copy))).toBe(451)
  expect(await codeOf(service.storage('HEAD', copy))).toBe(451)
  expect(await codeOf(service.storage('PUT', copy, { body: svg('first') }))).toBe(451)
  expect(await codeOf(service.fetch(`/${icon}`))).toBe(200)
  expect(await codeOf(service.fetch('/acme/v1/icons/other.svg'))).toBe(200)
  expect(await codeOf(service.storage('PUT', copy, { body: svg('third') }))).toBe(201)
  expect(await codeOf(service.fetch(`/${copy}`))).toBe(200)
})

test('a path is erased with all that it ever had, wherever else that is', async () => {
  await using service = await openZone()
  await put(service, icon, svg('first'))
  await put(service, icon, svg('second'))
  await put(service, copy, svg('first'))
  const asked = { Path: icon, DryRun: true }
  const plan = (await (await service.core('POST', 'erasures', asked)).json()) as {
    Files: readonly { readonly Path: string; readonly Commits: number }[]
    Places: readonly string[]
  }

  expect(plan.Files.map(({ Path, Commits }) => [Path, Commits])).toEqual([
    [icon, 1],
    [icon, 1],
    [copy, 1],
  ])
  expect(plan.Places).toContain('live')
  expect(await codeOf(service.fetch(`/${icon}`))).toBe(200)

  const { Id, Sha256 } = await erase(service, { Path: icon, Confirm: icon })

  expect([...Sha256].toSorted()).toEqual([svg('first'), svg('second')].map(sha256Of).toSorted())
  const state = async () => (await (await service.core('GET', `erasures/${Id}`)).json()) as Erasure
  await until(async () => (await state()).State === 'done')
  const done = await state()
  expect(done.Files).toEqual([icon, copy])
  expect(done.Places.every(({ State }) => State === 'confirmed' || State === 'told')).toBe(true)
  const list = await service.fetch('/api/assets?zone=acme', { headers: access })
  expect(await list.text()).not.toContain('icons/a.svg')
  expect(await codeOf(service.fetch(`/${icon}`))).toBe(451)
  const audit = await service.core('GET', 'audit-logs?action=content.erase')
  expect(((await audit.json()) as { Count: number }).Count).toBe(2)
  const all = await service.core('GET', 'erasures')
  expect(((await all.json()) as { Erasures: readonly Erasure[] }).Erasures).toEqual([done])
})

test('an erasure has to be confirmed, and is of what there was', async () => {
  await using service = await openZone()
  await put(service, icon, svg('first'))
  const post = (body: Readonly<Record<string, unknown>>) => service.core('POST', 'erasures', body)

  for (const body of [
    { Path: icon, Reason: 'x' },
    { Path: icon, Reason: 'x', Confirm: copy },
    { Path: icon, Reason: '  ', Confirm: icon },
    { Reason: 'x' },
    { Path: icon, Sha256: sha256Of(''), Reason: 'x' },
    { Sha256: sha256Of(''), Reason: 'x', Confirm: sha256Of('') },
    { Sha256: 'ABC', Reason: 'x', Confirm: 'ABC' },
    { Path: '../etc', Reason: 'x', Confirm: '../etc' },
  ])
    expect([body, await codeOf(post(body))]).toEqual([body, 400])
  expect(await codeOf(post({ Path: copy, Reason: 'x', Confirm: copy }))).toBe(404)
  expect(await codeOf(post({ Sha256: sha256Of('x'), DryRun: true }))).toBe(404)
  expect(await codeOf(service.core('GET', 'erasures/unknown'))).toBe(404)
  const token = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({
      name: 'all',
      scopes: ['storage:write', 'zones:write'],
      expiresInDays: 1,
    }),
  })
  const { token: secret } = (await token.json()) as { token: string }
  const asked = await service.fetch('/api/core/erasures', {
    headers: { Authorization: `Bearer ${secret}` },
  })
  expect(asked.status).toBe(403)
  expect(await codeOf(service.fetch(`/${icon}`))).toBe(200)
})

test('a dry run names the previews that have the bytes', async () => {
  await using service = await openZone()
  await service.core('POST', 'zones/acme/previews', { Name: 'spring' })
  await service.core('POST', 'zones/acme/previews', { Name: 'other' })
  const body = svg('preview')
  await service.storage('PUT', icon, { body, headers: { 'Sedge-Preview': 'spring' } })
  const response = await service.core('POST', 'erasures', { Sha256: sha256Of(body), DryRun: true })

  expect(await response.json()).toMatchObject({ Previews: ['acme/spring'] })
})
