import { statfs } from 'node:fs/promises'

import type { Probe } from '../../domain/health/health.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'

type Run = Probe['run']

interface OtherProbes {
  readonly transformer: Run
  readonly search: Run
  readonly edges: Run
  readonly webhooks: Run
  readonly certificates: Run
  /** Where there is one. */
  readonly mirror: Run | undefined
  readonly 'mirrored-files': Run | undefined
  readonly dataDirectory: string
}

const shallow = (name: string, run: Run): Probe => ({ name, run, isDeep: false })
const vital = (name: string, run: Run): Probe => ({ name, run, isDeep: true, isVital: true })
const deep = (name: string, run: Run): Probe => ({ name, run, isDeep: true })

/** Parts of the service that can say whether they work. */
export function probesOf(
  { database, blobs, content, publications }: Stores,
  { publisher }: Publishing,
  others: OtherProbes,
): readonly Probe[] {
  const { transformer, search, edges, webhooks, certificates, dataDirectory, ...mirrored } = others
  return [
    shallow('publishing', async () => requireTrue(publisher.isCurrent)),
    shallow('database', async () => requireTrue(await database.isHealthy())),
    vital('repository', () => content.probe()),
    vital('transformer', transformer),
    vital('feed', async () => void (await publications.feedAfter(0, 1))),
    vital('blobs', async () => {
      await using incoming = await blobs.receive(new TextEncoder().encode('health check'))
      await incoming.keep()
      requireTrue(await blobs.isIntact(incoming.sha256))
    }),
    vital('disk', () => probeRoom(dataDirectory)),
    deep('search', search),
    deep('edges', edges),
    deep('webhooks', webhooks),
    deep('certificates', certificates),
    ...Object.entries(mirrored).flatMap(([name, run]) => (run ? [deep(name, run)] : [])),
  ]
}

/** A write takes a few copies of what is sent; with less than this the next may fail. */
const minFreeBytes = 100 * 2 ** 20

async function probeRoom(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < minFreeBytes)
    throw new Error(`less than ${minFreeBytes / 2 ** 20} MiB are free for ${directory}`)
}

function requireTrue(isWell: boolean): void {
  if (!isWell) throw new Error('it says that it is not well')
}
