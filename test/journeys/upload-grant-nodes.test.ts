import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import {
  access,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

interface Grant {
  readonly Id: string
  readonly Url: string
  readonly TusUrl: string
}

async function grant(service: ServiceProcess, terms: object): Promise<Grant> {
  const response = await fetch(`${service.url}/api/uploads/grants`, {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify(terms),
  })
  return (await response.json()) as Grant
}

async function usesOf(service: ServiceProcess, id: string) {
  const response = await fetch(`${service.url}/api/uploads/grants`, { headers: access })
  const { Grants: grants } = (await response.json()) as {
    readonly Grants: readonly { Id: string; Stored: number; InProgress: number }[]
  }
  const found = grants.find(({ Id }) => Id === id)
  return found && { stored: found.Stored, inProgress: found.InProgress }
}

/** The same URL at another node. */
const through = (url: string, node: { readonly url: string }) => {
  const { pathname, search } = new URL(url)
  return `${node.url}${pathname}${search}`
}

/** Begins a `PUT` whose body does not come. */
function beginPut(url: string): Disposable {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 100\r\n\r\nfirst`,
  )
  return { [Symbol.dispose]: () => void socket.destroy() }
}

const tus = { 'Tus-Resumable': '1.0.0' }
const piece = (offset: number) => ({
  ...tus,
  'Upload-Offset': String(offset),
  'Content-Type': 'application/offset+octet-stream',
})

test('after a kill a use is had again where nobody can go on, and held where somebody can', async () => {
  await using directory = await temporaryDirectory()
  const options = { dataDirectory: join(directory.path, 'data') }
  let atOnce: Grant
  let resumable: Grant
  let location = ''
  {
    await using service = await startService(options)
    await worldOf(service).zone('acme')
    atOnce = await grant(service, { Path: 'acme/v1/titles/once.txt' })
    resumable = await grant(service, { Path: 'acme/v1/titles/pieces.txt' })
    const begun = await fetch(resumable.TusUrl, {
      method: 'POST',
      headers: { ...tus, 'Upload-Length': '10' },
    })
    location = begun.headers.get('location') ?? ''
    const url = new URL(location, resumable.TusUrl)
    await fetch(url, { method: 'PATCH', headers: piece(0), body: '01234' })
    using _put = beginPut(atOnce.Url)
    await until(async () => (await usesOf(service, atOnce.Id))?.inProgress === 1)
    expect((await fetch(atOnce.Url, { method: 'PUT', body: 'second' })).status).toBe(403)
    await service.kill()
  }
  await using service = await startService(options)
  expect(await usesOf(service, atOnce.Id)).toEqual({ stored: 0, inProgress: 0 })
  expect(await usesOf(service, resumable.Id)).toEqual({ stored: 0, inProgress: 1 })
  const put = (url: string) => fetch(through(url, service), { method: 'PUT', body: 'again' })
  expect((await put(atOnce.Url)).status).toBe(201)
  expect((await put(resumable.Url)).status).toBe(403)
  const url = `${service.url}${location.replace(/^https?:\/\/[^/]+/u, '')}`
  const rest = await fetch(url, { method: 'PATCH', headers: piece(5), body: '56789' })
  expect(rest.status).toBe(204)
  expect(await usesOf(service, resumable.Id)).toEqual({ stored: 1, inProgress: 0 })
}, 120_000)

test('a client that leaves in the middle gives its use back', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({ dataDirectory: directory.path })
  await worldOf(service).zone('acme')
  const { Url: url, Id: id } = await grant(service, { Path: 'acme/v1/titles/left.txt' })
  {
    using _put = beginPut(url)
    await until(async () => (await usesOf(service, id))?.inProgress === 1)
  }
  await until(async () => (await usesOf(service, id))?.inProgress === 0)

  expect((await fetch(url, { method: 'PUT', body: 'again' })).status).toBe(201)
}, 60_000)

test('a grant is good at an edge elsewhere, and revoked there at once', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({ dataDirectory: join(directory.path, 'data') })
  await worldOf(service).zone('acme')
  const token = await edgeTokenOf(service.url)
  const far = { origin: service.url, token, name: 'far', directory: join(directory.path, 'far') }
  await using edge = await startEdge(far)
  const { Url: url, Id: id } = await grant(service, { Prefix: 'acme/v1/titles/', Times: 9 })
  const put = (name: string) =>
    fetch(through(url, edge).replace('/granted/', `/granted/${name}`), { method: 'PUT', body: 'x' })

  const stored = await put('a.txt')
  expect(stored.status).toBe(201)
  expect(stored.headers.get('access-control-allow-origin')).toBe('*')
  await fetch(`${service.url}/api/uploads/grants/${id}`, { method: 'DELETE', headers: access })
  expect((await put('b.txt')).status).toBe(401)
}, 60_000)
