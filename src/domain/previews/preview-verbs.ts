import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { ContentStore } from '../../ports/content/content-store.ts'
import type { LinedContentStore } from '../../ports/previews/content-lines.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { Actor } from '../access/actor.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Committer } from '../content/committer.ts'
import { createFileEdits, type FileEdits } from '../content/files/file-edits.ts'
import { createFiles, type Files } from '../content/files/files.ts'
import { createDescriptions, type Descriptions } from '../content/metadata/descriptions.ts'
import type { PreviewCatalogs } from './preview-catalogs.ts'
import type { ShownZones, ZoneRoom } from '../publishing/room/zone-room.ts'
import { createPreviewCommitter } from './preview-committer.ts'
import { lineOf } from './preview-lines.ts'
import type { Previews } from './previews.ts'

/** What can be done with the files of a preview, as with those of what is live. */
export interface PreviewVerbs {
  readonly preview: PreviewRecord
  /** Its zone's alone. */
  readonly catalog: Catalog
  readonly content: Pick<
    ContentStore,
    'at' | 'children' | 'filesBelow' | 'find' | 'read' | 'spelling'
  >
  readonly publisher: Committer
  readonly files: Files
  readonly fileEdits: FileEdits
  readonly descriptions: Descriptions
}

/** Refuses a preview that is not there with `PreviewNotFound`. */
export type PreviewVerbsOf = (zone: string, name: string, actor: Actor) => Promise<PreviewVerbs>

interface Dependencies {
  readonly previews: Pick<Previews, 'find'>
  readonly catalogs: Pick<PreviewCatalogs, 'of'>
  readonly content: LinedContentStore
  readonly blobs: BlobStore
  readonly published: Pick<Manifest, 'zone' | 'isErased'>
  /** What a preview that has these may take in. */
  readonly roomIn?: ((shown: ShownZones) => ZoneRoom) | undefined
  readonly now: () => Date
}

/** Each request's own, of what the previews share. */
export const createPreviewVerbs =
  (dependencies: Dependencies): PreviewVerbsOf =>
  async (zone, name, actor) => {
    const { previews, catalogs, content, blobs, published, roomIn, now } = dependencies
    const preview = previews.find(zone, name, actor)
    const known = await catalogs.of(preview)
    const catalog: Catalog = { ...known.catalog, zone: (each) => published.zone(each) }
    const { lines } = content
    const line = lines.at(lineOf(preview))
    const room = roomIn?.(known.catalog)
    const publisher = createPreviewCommitter(preview, { lines, published, room, now })
    const tree = { ...line, at: (commitId: string) => content.at(commitId) }
    const given = { content: tree, blobs, publisher, published: catalog }
    return {
      preview,
      catalog,
      content: tree,
      publisher,
      files: createFiles({ ...given, head: () => line.head() }),
      fileEdits: createFileEdits({ ...given, publishedCommitId: () => known.commitId }),
      descriptions: createDescriptions(given),
    }
  }
