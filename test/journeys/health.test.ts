import { expect, test } from 'bun:test'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'

import { startService, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

interface Health {
  readonly status: string
  readonly checks: readonly { readonly name: string; readonly healthy: boolean }[]
}

async function healthOf(url: string, query = '') {
  const response = await fetch(`${url}/api/health${query}`)
  const { status, checks } = (await response.json()) as Health
  const broken = checks.filter(({ healthy }) => !healthy).map(({ name }) => name)
  return { code: response.status, status, broken, names: checks.map(({ name }) => name) }
}

test('a close look uses every part anew, and what it finds is told by a cheap one too', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  await using service = await startService({ dataDirectory })
  const { url } = service
  const well = await healthOf(url, '?deep=1')
  expect(well).toMatchObject({ code: 200, status: 'ok', broken: [] })
  expect(well.names.toSorted()).toEqual(
    'blobs certificates database disk edges feed publishing repository search transformer webhooks'.split(
      ' ',
    ),
  )
  expect(await healthOf(url)).toMatchObject({ code: 200, broken: [] })

  // Whatever had the repository open still has: only who opens it anew sees that it is gone.
  await rename(join(dataDirectory, 'repository.git'), join(dataDirectory, 'elsewhere.git'))
  await until(async () => (await healthOf(url, '?deep=1')).broken.includes('repository'))
  expect(await healthOf(url, '?deep=1')).toMatchObject({ code: 503, status: 'degraded' })
  expect(await healthOf(url)).toMatchObject({ code: 503, broken: ['repository'] })

  await rename(join(dataDirectory, 'elsewhere.git'), join(dataDirectory, 'repository.git'))
  await until(async () => (await healthOf(url, '?deep=1')).code === 200)

  // Where nothing can be stored there is nothing to draw from.
  await rename(join(dataDirectory, 'blobs'), join(dataDirectory, 'elsewhere'))
  await until(async () => (await healthOf(url, '?deep=1')).broken.includes('transformer'))
  expect((await healthOf(url)).broken.toSorted()).toEqual(['blobs', 'transformer'])
}, 60_000)

test('close looks are counted by network, and limited', async () => {
  await using directory = await temporaryDirectory()
  const environment = { HEALTH_CHECKS_PER_MINUTE: '2' }
  await using service = await startService({ dataDirectory: directory.path, environment })
  const codes = []
  for (let turn = 0; turn < 3; turn += 1)
    codes.push((await fetch(`${service.url}/api/health?deep=1`)).status)

  expect(codes).toEqual([200, 200, 429])
  expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
}, 60_000)
