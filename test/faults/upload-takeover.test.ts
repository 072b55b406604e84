import { expect, test } from 'bun:test'

import { startCluster } from '../support/cluster.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, account } from '../support/service-process.ts'
import { openTusUpload, sendTusPiece, tus } from '../support/tus-pieces.ts'
import { until } from '../support/until.ts'

if (have('uploads in a cluster of nodes', postgres, s3Server))
  test('an upload goes on at the next leader with every byte that was acknowledged', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const former = await cluster.writer()
    const next = cluster.nodes.find((node) => node !== former)
    if (former === undefined || next === undefined) throw new Error('nobody writes')
    const body = '{"Name":"acme"}'
    await fetch(`${former.url}/api/core/zones`, { method: 'POST', headers: account, body })
    const content = Uint8Array.from({ length: 20_000_000 }, (_, place) => (place * 7) % 251)
    const path = await openTusUpload(former.url, 'acme/v1/titles/film.bin', content.length)
    // One piece at the leader itself, one by way of the node that stands by.
    await sendTusPiece(new URL(path, former.url), content, { offset: 0, end: 9_000_000 })
    await sendTusPiece(new URL(path, next.url), content, { offset: 9_000_000, end: 9_000_100 })
    await cluster.kill(former)
    const url = new URL(path, next.url)
    const offsetOf = async () => {
      const response = await fetch(url, { method: 'HEAD', headers: tus }).catch(() => undefined)
      return response?.ok === true ? Number(response.headers.get('upload-offset')) : undefined
    }
    await until(async () => (await offsetOf()) !== undefined)

    expect(await offsetOf()).toBe(9_000_100)
    await sendTusPiece(url, content, { offset: 9_000_100, end: content.length })
    const file = `${next.url}/api/storage/acme/v1/titles/film.bin`
    const stored = await (await fetch(file, { headers: access })).arrayBuffer()
    expect(Buffer.compare(new Uint8Array(stored), content)).toBe(0)
  }, 120_000)
