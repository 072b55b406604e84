import { expect, test } from 'bun:test'

import { startCluster } from '../support/cluster.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, account } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const spring = { ...access, 'Sedge-Preview': 'spring' }
const path = 'api/storage/acme/v1/titles'

if (have('previews in a cluster', postgres, s3Server))
  test('a preview outlives the node that wrote it, and becomes live at another', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('few')
    await worldOf(first).zone('acme')
    await worldOf(first).put('acme/v1/titles/a.txt', 'live')
    const core = (url: string, action: string, body: object) =>
      fetch(`${url}/api/core/zones/acme/previews${action}`, {
        method: 'POST',
        headers: account,
        body: JSON.stringify(body),
      })
    expect((await core(second.url, '', { Name: 'spring' })).status).toBe(201)
    for (const name of ['a.txt', 'b.txt']) {
      const put = await fetch(`${second.url}/${path}/${name}`, {
        method: 'PUT',
        headers: spring,
        body: `preview ${name}`,
      })
      expect(put.status).toBe(201)
    }

    expect(await cluster.writer()).toBe(first)
    await cluster.kill(first)
    const read = async (name: string, headers: Record<string, string>) => {
      const response = await fetch(`${second.url}/${path}/${name}`, { headers }).catch(
        () => undefined,
      )
      return await response?.text()
    }
    await until(async () => (await read('b.txt', spring)) === 'preview b.txt', 'it is lost')
    expect(await read('a.txt', access)).toBe('live')
    await until(async () => (await core(second.url, '/spring/promote', {})).ok, 'nobody writes')
    expect(await read('a.txt', access)).toBe('preview a.txt')
  }, 120_000)
