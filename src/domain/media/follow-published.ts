import type { Log } from '../../lib/log.ts'
import type { Feed, Manifest } from '../../ports/manifest.ts'
import type { Streams } from '../streaming/streams.ts'
import { followFiles, type Following } from './follow-files.ts'
import type { KnownMedia } from './known-media.ts'

interface Dependencies {
  readonly feed: Feed
  readonly published: Pick<Manifest, 'asset'>
  readonly media: Pick<KnownMedia, 'analysed' | 'known'>
  readonly streams: Pick<Streams, 'prepare'>
  readonly log: Pick<Log, 'debug' | 'warn'>
}

const pictureFormats: ReadonlySet<string> = new Set('jpg jpeg png webp gif avif svg'.split(' '))

/** Looks at pictures and films once, when they are published, so that requests find it done. */
export const followPublished = ({ media, streams, ...rest }: Dependencies): Following =>
  followFiles({
    ...rest,
    async look(asset, signal) {
      if (pictureFormats.has(asset.format))
        await media.analysed(asset, { priority: 'background', signal })
      else await streams.prepare(asset)
    },
    isOverlooked: async ({ format, sha256 }) =>
      pictureFormats.has(format) && (await media.known(sha256))?.analysis === undefined,
  })
