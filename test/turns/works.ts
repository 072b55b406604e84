import { join } from 'node:path'

import type { Client } from '../../src/client/types.ts'
import { tarArchive } from '../../src/client/tar-archive.ts'
import { painted, photoPainter } from '../fixtures/sample-images.ts'
import { runGit } from '../support/git-client.ts'
import { importCommit } from '../support/import-commit.ts'
import { until } from '../support/until.ts'
import { testKeys } from '../support/service-process.ts'
import type { World } from '../support/world.ts'
import { iconsIn, svgOf } from './icons.ts'
import type { Sizes } from './sizes.ts'

/** What a work has at hand. */
export interface Place {
  readonly directory: string
  readonly dataDirectory: string
  readonly sizes: Sizes
  readonly url: string
  readonly world: World
  /** The service ends; what `meanwhile` does is there at its next start. */
  readonly restart: (meanwhile?: () => Promise<void>) => Promise<void>
  /** The edge is away for that, and starts again then. */
  readonly withoutEdge: (meanwhile: () => Promise<unknown>) => Promise<void>
}

/** One large piece of work, by its name. */
export interface Work {
  readonly name: string
  readonly run: (place: Place) => Promise<unknown>
}

const media = join(import.meta.dir, '..', 'fixtures', 'media')
const films = ['h264.mkv', 'hevc.mp4', 'ladder.mp4', 'fragmented.mp4', 'av1.webm', 'av1-opus.mp4']

/** In the order in which they are to be done: each leaves what the next one needs. */
export const works: readonly Work[] = [
  {
    name: 'push by git',
    async run({ directory, url, sizes }) {
      const clone = join(directory, 'clone')
      const origin = `${url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/`
      await runGit(directory, 'clone', '-q', '--bare', origin, clone)
      await importCommit({ repository: clone, files: iconsIn('icons/pushed', sizes.pushed) })
      await runGit(clone, 'push', '-q', origin, 'main:main')
    },
  },
  {
    name: 'an edge that was away for a directory copied',
    async run({ world: { client }, withoutEdge }) {
      const body = { From: 'acme/v1/icons/pushed', To: 'bolt/v1/icons/pushed' }
      await withoutEdge(() => client.copyFiles({ body }))
    },
  },
  {
    name: 'replay of a commit found while running',
    async run({ dataDirectory, world, sizes }) {
      const repository = join(dataDirectory, 'repository.git')
      await importCommit({ repository, files: iconsIn('icons/found', sizes.replayed) })
      // The next write finds what was committed before it.
      await world.put('acme/v1/icons/after.svg', svgOf('after'))
    },
  },
  {
    name: 'archive of small files',
    async run({ world, sizes }) {
      const files = Array.from({ length: sizes.archived }, (_, index) => ({
        path: `${index % 50}/icon-${index}.svg`,
        bytes: new TextEncoder().encode(svgOf(`archived ${index}`)),
      }))
      const body = new Blob([...tarArchive(files)])
      const response = await world.client.putArchive({ body, directory: 'acme/v1/icons/archived' })
      await response.text()
    },
  },
  {
    name: 'pictures and their index',
    async run({ world, sizes }) {
      const shape = { width: 800, height: 600 }
      for (let seed = 0; seed < sizes.pictures; seed += 1) {
        const bytes = await painted(shape, photoPainter(seed)).jpeg().toBuffer()
        await world.put(`acme/v1/campaigns/photo-${seed}.jpg`, new Uint8Array(bytes))
      }
      await Bun.sleep(5_000)
    },
  },
  {
    name: 'films and their index',
    async run({ world, sizes }) {
      for (let index = 0; index < sizes.films; index += 1) {
        const film = films[index % films.length] ?? ''
        const bytes = await Bun.file(join(media, film)).bytes()
        await world.put(`acme/v1/banners/${index}-${film}`, bytes)
      }
      await Bun.sleep(5_000)
    },
  },
  {
    name: 'domains of a zone',
    async run({ world: { client }, sizes }) {
      for (let index = 0; index < sizes.domains; index += 1)
        await client.addDomain({ id: 'acme', body: { Hostname: `www.host-${index}.example` } })
      await client.listAllDomains({})
      await client.listDomains({ id: 'acme' })
    },
  },
  {
    name: 'start with domains, and a commit to replay',
    async run({ dataDirectory, sizes, restart }) {
      await restart(async () => {
        const repository = join(dataDirectory, 'repository.git')
        await importCommit({ repository, files: iconsIn('icons/at-start', sizes.replayed) })
      })
      await Bun.sleep(5_000)
    },
  },
  {
    name: 'reports of traffic and usage',
    async run({ world: { client }, sizes: { days } }) {
      const per_page = 1_000
      for (const zone of [{}, { zone: 'zone-1' }]) {
        await client.getUsage({ days: Math.min(days, 397), per_page, ...zone })
        await client.getInsightsSummary({ days: 90, ...zone })
        await client.getTrafficSeries({ period: '90d', ...zone })
        await client.getTopAssets({ days: 90, limit: 100, ...zone })
        await client.getGeography({ days: 90, ...zone })
        await client.getStatuses({ days: 90, ...zone })
        await client.getErrors({ days: 90, ...zone })
      }
      await client.getBillingUsage({})
      await client.getZoneTraffic({ days: 90 })
      await client.getStatistics({})
    },
  },
  {
    name: 'listing and searching',
    async run({ world: { client } }) {
      for (const sort of ['path', 'size', 'date'] as const) {
        await client.listAssets({ per_page: 200, sort })
        await client.listAssets({ per_page: 200, sort, page: 40 })
      }
      await client.listAssets({ q: 'icon-77', per_page: 200 })
      await client.listFolders({})
      await client.listDuplicates({})
      await client.getZoneStorage({ id: 'acme' })
      for (const q of ['icon', 'photo of waves', 'svg', 'archived 12'])
        await client.search({ q, limit: 50 })
    },
  },
  {
    name: 'a zip of many files',
    async run({ world: { client }, url }) {
      const { Url } = await client.prepareArchive({ body: { Paths: ['acme/v1/icons/archived/'] } })
      await (await fetch(new URL(Url, url))).arrayBuffer()
    },
  },
  {
    name: 'a preview of many files, promoted',
    async run({ world: { client }, sizes }) {
      const files = Array.from({ length: sizes.previewed }, (_, index) => ({
        path: `${index % 50}/icon-${index}.svg`,
        bytes: new TextEncoder().encode(svgOf(`previewed ${index}`)),
      }))
      await client.createPreview({ id: 'acme', body: { Name: 'spring' } })
      const response = await client.putArchive({
        body: new Blob([...tarArchive(files)]),
        directory: 'acme/v1/icons/previewed',
        preview: 'spring',
      })
      await response.text()
      await client.getPreviewDifferences({ id: 'acme', name: 'spring' })
      await client.promotePreview({ id: 'acme', name: 'spring' })
    },
  },
  {
    name: 'many assets described at once',
    run: async ({ world: { client } }) =>
      await client.changeAssets({
        body: { Filter: 'folder=acme/v1/icons/archived', Action: 'tag', Tags: ['many'] },
      }),
  },
  {
    name: 'a directory moved',
    run: async ({ world: { client } }) =>
      await client.moveFiles({ body: { From: 'acme/v1/icons/pushed', To: 'acme/v1/icons/moved' } }),
  },
  {
    name: 'a directory copied to another zone',
    run: async ({ world: { client } }) =>
      await client.copyFiles({ body: { From: 'acme/v1/icons/moved', To: 'bolt/v1/icons/copied' } }),
  },
  {
    name: 'a directory deleted',
    run: async ({ world: { client } }) =>
      await client.deleteFiles({ body: { Paths: ['acme/v1/icons/archived/'] } }),
  },
  {
    name: 'a zone as it was',
    async run({ world: { client } }) {
      const { Commits } = await client.getZoneHistory({ id: 'acme' })
      const [now, former] = [Commits[0]?.Commit ?? '', Commits[3]?.Commit ?? '']
      await client.getZoneDifferences({ id: 'acme', from: former, to: now })
      await client.restoreZone({ id: 'acme', body: { Commit: former } })
    },
  },
  {
    name: 'everything purged',
    run: async ({ world: { client } }) => await client.purge({ body: { purge_everything: true } }),
  },
  {
    name: 'a file erased from all history',
    async run({ world: { client } }) {
      const Path = 'acme/v1/icons/after.svg'
      const ordered = await client.orderErasure({ body: { Path, Confirm: Path, Reason: 'a test' } })
      if (!('Id' in ordered)) return
      const { Id: id } = ordered
      await until(async () => (await client.getErasure({ id })).State === 'done')
    },
  },
  {
    name: 'a backup, and its copy checked',
    async run({ world: { client } }) {
      await client.createBackup({})
      const [made] = await untilBackedUp(client)
      if (made === undefined) throw new Error('there is no backup')
      await client.verifyBackup({ id: made.Id })
      await untilBackedUp(client)
    },
  },
  {
    name: 'a zone deleted',
    run: async ({ world: { client } }) => await client.deleteZone({ id: 'bolt' }),
  },
]

async function untilBackedUp({ listBackups }: Client) {
  for (let tries = 0; tries < 1_500; tries += 1) {
    const { Backups, Running } = await listBackups({})
    if (Running === null) return Backups
    await Bun.sleep(200)
  }
  throw new Error('the backup did not come to an end')
}
