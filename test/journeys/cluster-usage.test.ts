import { expect, test } from 'bun:test'

import { type ClusterNode, startCluster } from '../support/cluster.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

interface Totals {
  readonly Requests: number
  readonly Bytes: number
  readonly Uploads: number
  readonly StoredBytes: number
  readonly Files: number
}

async function totalsAt({ url }: ClusterNode): Promise<Totals | undefined> {
  const response = await fetch(`${url}/api/usage?days=2&zone=acme`, { headers: access }).catch(
    () => undefined,
  )
  if (response?.status !== 200) return undefined
  return ((await response.json()) as { Totals: Totals }).Totals
}

/** What the clients know themselves. */
const ledger = { requests: 0, bytes: 0 }

async function getFrom({ url }: ClusterNode, name: string): Promise<number> {
  const { length } = await (await fetch(`${url}/acme/v1/${name}`)).bytes()
  ledger.requests += 1
  ledger.bytes += length
  return length
}

if (have('usage of a cluster', postgres, s3Server))
  test('what all nodes deliver and store adds up, and a takeover loses and doubles nothing', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('few')
    const [one, other] = [worldOf(first), worldOf(second)]
    await one.zone('acme')
    await one.put('acme/v1/a.bin', new Uint8Array(100))
    await other.put('acme/v1/b.bin', new Uint8Array(50))
    await until(async () => (await getFrom(second, 'a.bin')) === 100, 'it is not delivered')
    await until(async () => (await getFrom(first, 'b.bin')) === 50, 'it is not delivered')
    for (let each = 0; each < 7; each += 1) {
      expect(await getFrom(first, 'a.bin')).toBe(100)
      expect(await getFrom(second, 'b.bin')).toBe(50)
    }
    const expected = {
      Requests: ledger.requests,
      Bytes: ledger.bytes,
      Uploads: 2,
      StoredBytes: 150,
      Files: 2,
    }
    const isAsExpected = async (node: ClusterNode) =>
      JSON.stringify(await totalsAt(node), Object.keys(expected)) === JSON.stringify(expected)
    for (const node of [first, second])
      await until(() => isAsExpected(node), 'the nodes do not add up')

    const writer = await cluster.writer()
    const standby = cluster.nodes.find((node) => node !== writer)
    if (writer === undefined || standby === undefined) throw new Error('nobody writes')
    await cluster.kill(writer)
    const put = async () =>
      (
        await fetch(`${standby.url}/api/storage/acme/v1/c.bin`, {
          method: 'PUT',
          headers: access,
          body: new Uint8Array(5),
        }).catch(() => undefined)
      )?.status === 201
    await until(put, 'nobody writes')
    Object.assign(expected, { Uploads: 3, StoredBytes: 155, Files: 3 })
    await until(() => isAsExpected(standby), 'the takeover changed what was counted')
  }, 240_000)
