import { expect, test } from 'bun:test'

import { type ClusterNode, startCluster } from '../support/cluster.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, account } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

interface Shown {
  readonly Delivery: string
  readonly Quotas: readonly { readonly Name: string; readonly Used: number }[]
}

const path = '/api/core/zones/acme/quotas'

async function bound({ url }: ClusterNode, wanted: object): Promise<void> {
  const init = { method: 'PUT', headers: account, body: JSON.stringify(wanted) }
  expect((await fetch(`${url}${path}`, init)).status).toBe(200)
}

async function shownAt({ url }: ClusterNode): Promise<Shown | undefined> {
  const response = await fetch(`${url}${path}`, { headers: account }).catch(() => undefined)
  return response?.status === 200 ? ((await response.json()) as Shown) : undefined
}

async function usedAt(node: ClusterNode, name: string): Promise<number | undefined> {
  return (await shownAt(node))?.Quotas.find((each) => each.Name === name)?.Used
}

async function put({ url }: ClusterNode, name: string, body: string) {
  const init = { method: 'PUT', headers: access, body }
  const response = await fetch(`${url}/api/storage/acme/v1/${name}`, init).catch(() => undefined)
  if (response === undefined) return [0]
  const { error } = (await response.json()) as { error?: { code: string; target: string } }
  return error === undefined ? [response.status] : [response.status, error.code, error.target]
}

async function statusOf({ url }: ClusterNode, name: string): Promise<number> {
  const response = await fetch(`${url}/acme/v1/${name}`).catch(() => undefined)
  await response?.arrayBuffer()
  return response?.status ?? 0
}

if (have('quotas of a cluster', postgres, s3Server))
  test('a zone is held to its quotas at every node, by what all nodes deliver, after a takeover too', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const writing = await cluster.writer()
    const standing = cluster.nodes.find((node) => node !== writing)
    if (writing === undefined || standing === undefined) throw new Error('nobody writes')
    await worldOf(writing).zone('acme')
    await bound(writing, { Quotas: { bytes: 10 } })

    expect(await put(standing, 'a.txt', '12345678')).toEqual([201])
    const full = [403, 'QuotaExceeded', 'bytes']
    expect(await put(standing, 'b.txt', '123')).toEqual(full)
    expect(await put(writing, 'b.txt', '123')).toEqual(full)
    expect(await put(standing, 'b.txt', '12')).toEqual([201])

    let delivered = 0
    for (const node of [writing, standing])
      await until(async () => {
        const status = await statusOf(node, 'a.txt')
        if (status > 0) delivered += 1
        return status === 200
      })
    for (let round = 0; round < 6; round += 1)
      for (const node of [writing, standing]) {
        expect(await statusOf(node, 'a.txt')).toBe(200)
        delivered += 1
      }
    for (const node of [writing, standing])
      await until(async () => (await usedAt(node, 'requests')) === delivered, 'they do not add up')

    await bound(standing, { Quotas: { requests: delivered }, WhenUsedUp: 'cut' })
    for (const node of [writing, standing])
      await until(async () => (await statusOf(node, 'a.txt')) === 429, 'it is delivered on')

    await cluster.kill(writing)
    await until(async () => (await put(standing, 'c.txt', '1'))[0] !== 503, 'nobody writes')
    expect(await put(standing, 'c.txt', '1')).toEqual(full)
    expect(await usedAt(standing, 'bytes')).toBe(10)
    expect((await shownAt(standing))?.Delivery).toBe('cut')
    expect(await statusOf(standing, 'a.txt')).toBe(429)
    await bound(standing, { Quotas: { bytes: 11, requests: null } })
    expect(await put(standing, 'c.txt', '1')).toEqual([201])
    await until(async () => (await statusOf(standing, 'a.txt')) === 200, 'it stays cut')
  }, 240_000)
