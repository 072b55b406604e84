import type { MediaFacts } from '../../ports/media/media-facts-store.ts'
import type { Sighting } from '../../ports/records/vision/sighting.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Documents } from './documents.ts'
import {
  meaningTexts,
  otherNames,
  imageWords,
  sightingWords,
  writtenWords,
} from './words/index-text.ts'

/** Where it is known what assets are, besides their names. */
export interface DescriptionSources {
  /** What icons are also called, by name. Read when it is first needed, and once. */
  readonly readSynonyms: () => Promise<ReadonlyMap<string, string>>
  /** What has been found in an image so far; looks at no pixel. */
  readonly factsOf: (sha256: string) => Promise<MediaFacts | undefined>
  /** Told which bytes are asked about next, many at once. */
  readonly recall?: (sha256s: readonly string[]) => Promise<void>
  /** What a model has seen in it so far; asks nobody. */
  readonly sightingOf?: (sha256: string) => Promise<Sighting | undefined>
}

interface Dependencies extends DescriptionSources {
  readonly documents: () => Documents
  readonly signal: AbortSignal
}

export interface Descriptions {
  /**
   * Gives assets the words they are also called by and those of their images, as far as those are known.
   * To be asked again once an image has been looked at.
   */
  readonly describe: (paths: readonly string[]) => Promise<void>
  /** What an asset means, as texts to be embedded one by one. */
  readonly textsOf: (asset: AssetRecord) => Promise<readonly string[]>
}

/** Images, and what an image may stand for. */
const seenTypes = /^(?:(?:image|audio|video|font)\/|application\/pdf$)/u

export function createDescriptions(dependencies: Dependencies): Descriptions {
  const { readSynonyms, factsOf, recall, documents, signal } = dependencies
  const { sightingOf = async () => undefined } = dependencies
  let reading: Promise<ReadonlyMap<string, string>> | undefined

  /** Read again where it could not be read. */
  async function synonyms(): Promise<(name: string) => string | undefined> {
    reading ??= readSynonyms().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    const byName = await reading
    return (name) => byName.get(name)
  }

  const imageFacts = async ({ contentType, sha256 }: AssetRecord) =>
    seenTypes.test(contentType) ? await factsOf(sha256) : undefined

  const imageSighting = async ({ contentType, sha256 }: AssetRecord) =>
    contentType.startsWith('image/') ? await sightingOf(sha256) : undefined

  return {
    async describe(paths) {
      const index = documents()
      const synonymsOf = await synonyms()
      await recall?.(seenAmong(paths, index))
      for (const path of paths) {
        if (signal.aborted) return
        const row = index.rowOf(path) ?? -1
        const asset = index.at(row)
        if (asset === undefined) continue
        index.call(row, otherNames(asset, synonymsOf))
        const facts = await imageFacts(asset)
        index.call(row, facts === undefined ? [] : writtenWords(facts))
        if (facts !== undefined) index.describe(row, imageWords(facts))
        const sighting = await imageSighting(asset)
        if (sighting !== undefined) index.see(row, sightingWords(sighting))
      }
    },
    textsOf: async (asset) =>
      meaningTexts(asset, await synonyms(), {
        written: (await imageFacts(asset))?.text,
        sighting: await imageSighting(asset),
      }),
  }
}

const seenAmong = (paths: readonly string[], index: Documents): readonly string[] =>
  paths.flatMap((path) => {
    const asset = index.at(index.rowOf(path) ?? -1)
    return asset !== undefined && seenTypes.test(asset.contentType) ? [asset.sha256] : []
  })
