import { expect, test } from 'bun:test'
import { mkdir, open, readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'

import { sedge } from '../support/sedge-command.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 600_000
/** More than numbers of 31 bits can say. */
const sizeBytes = 2 ** 31 + 5_001
const path = 'acme/v1/films/film.bin'

/** A file that is nearly all hole: marks where 31 bits end, and at its own end. */
async function makeFile(file: string): Promise<void> {
  await using handle = await open(file, 'w')
  await handle.truncate(sizeBytes)
  await handle.write('border', 2 ** 31 - 3)
  await handle.write('end', sizeBytes - 3)
}

async function rangeAt(url: string, start: number, end: number) {
  const response = await fetch(`${url}/${path}`, { headers: { Range: `bytes=${start}-${end}` } })
  return [response.status, response.headers.get('content-range'), await response.text()]
}

async function stagedIn(dataDirectory: string): Promise<readonly string[]> {
  return await readdir(join(dataDirectory, 'blobs', 'staged'))
}

test(
  'a file of more than 2 GB is synced, listed, told of and delivered by its true size, and not sent twice',
  async () => {
    await using directory = await temporaryDirectory()
    using receiver = openWebhookReceiver()
    const [dataDirectory, local] = ['data', 'local'].map((name) => join(directory.path, name))
    if (dataDirectory === undefined || local === undefined) throw new Error('nowhere')
    const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' }
    await using service = await startService({ dataDirectory, environment })
    const world = worldOf(service)
    const { client } = world
    await world.zone('acme')
    await client.createWebhook({
      body: { url: receiver.url, events: ['asset.created', 'asset.updated'] },
    })
    await mkdir(local)
    await makeFile(join(local, 'film.bin'))
    const sync = async (...more: readonly string[]) => {
      const words = ['sync', local, 'acme/v1/films', ...more]
      const { out, error, exitCode } = await sedge(words, { SEDGE_URL: service.url })
      expect({ error, exitCode }).toEqual({ error: '', exitCode: 0 })
      return out
    }

    expect(await sync()).toContain('1 new, 0 changed, 0 unchanged, 0 deleted')
    await receiver.until(1)
    const created = receiver.received[0]
    expect(created).toMatchObject({
      event: 'asset.created',
      data: { path: `clients/${path}`, size: sizeBytes, zone: 'acme' },
    })
    const asset = await client.getAssetMetadata({ path })
    expect(asset).toMatchObject({ Size: sizeBytes, Checksum: created?.data['checksum'] })
    const { Data: assets } = await client.listAssets({ project: 'acme' })
    expect(assets.map(({ Path, Size }) => [Path, Size])).toEqual([[path, sizeBytes]])
    expect(await client.getZone({ id: 'acme' })).toMatchObject({ StorageUsed: sizeBytes })

    const head = await fetch(`${service.url}/${path}`, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(sizeBytes))
    expect(await rangeAt(service.url, 2 ** 31 - 3, 2 ** 31 + 2)).toEqual([
      206,
      `bytes ${2 ** 31 - 3}-${2 ** 31 + 2}/${sizeBytes}`,
      'border',
    ])
    expect(await rangeAt(service.url, sizeBytes - 3, sizeBytes + 10)).toEqual([
      206,
      `bytes ${sizeBytes - 3}-${sizeBytes - 1}/${sizeBytes}`,
      'end',
    ])

    expect(await sync()).toBe('0 new, 0 changed, 1 unchanged, 0 deleted, 0 B sent\n')
    await truncate(join(local, 'film.bin'), sizeBytes - 1)
    expect(await sync('--dry-run')).toContain(`~ ${path}\n`)
    expect(await stagedIn(dataDirectory)).toEqual([])
  },
  limitMs,
)
