import { type Embedder, EmbedderUnavailableError } from '../../ports/embedder.ts'
import type { MediaFacts } from '../../ports/media-facts-store.ts'
import type { AssetRecord } from '../../ports/publication-store.ts'
import type { VectorStore } from '../../ports/vector-store.ts'
import type { Documents } from './documents.ts'
import { meaningTexts, otherNames, pictureWords, writtenWords } from './index-text.ts'
import { packVector } from './packed-vectors.ts'

/** Where texts and their vectors come from. */
export interface MeaningSources {
  readonly store: VectorStore
  /** What icons are also called, by name. Read when it is first needed, and once. */
  readonly readSynonyms: () => Promise<ReadonlyMap<string, string>>
  /** What has been found in a picture so far; looks at no pixel. */
  readonly factsOf: (sha256: string) => Promise<MediaFacts | undefined>
}

interface Dependencies extends MeaningSources {
  readonly embedder: Embedder
  readonly documents: () => Documents
  readonly signal: AbortSignal
}

export interface MeaningIndex {
  /** Gives assets the words of their pictures. Answers the paths of pictures not looked at yet. */
  describe(paths: readonly string[]): Promise<readonly string[]>
  /**
   * Gives assets their vectors, from the store where it has them.
   * Rejects with `EmbedderUnavailableError` where a text needs the model and there is none.
   */
  complete(paths: readonly string[]): Promise<void>
}

interface Row {
  readonly row: number
  readonly asset: AssetRecord
}

export function createMeaningIndex(dependencies: Dependencies): MeaningIndex {
  const { embedder, store, readSynonyms, factsOf, documents, signal } = dependencies
  let synonyms: ReadonlyMap<string, string> | undefined
  let hasForgotten = false
  const synonymsOf = (name: string) => synonyms?.get(name)

  /** Once there are vectors of this model, those of others are of no use any more. */
  async function forgetOtherModels(): Promise<void> {
    if (hasForgotten || documents().vectors.count === 0) return
    await store.forgetOthers(embedder.space)
    hasForgotten = true
  }

  async function describe(paths: readonly string[]): Promise<readonly string[]> {
    const index = documents()
    const unknown: string[] = []
    for (const { row, asset } of paths.flatMap((path) => rowAt(index, path))) {
      if (signal.aborted) return []
      if (!asset.contentType.startsWith('image/')) continue
      const facts = await factsOf(asset.sha256)
      if (facts?.text) index.call(row, writtenWords(facts.text))
      if (facts?.analysis) index.describe(row, pictureWords(facts))
      else unknown.push(asset.path)
    }
    return unknown
  }

  /** Equal texts have one vector, whichever asset they are of. */
  async function rowsByText(rows: readonly Row[]): Promise<ReadonlyMap<string, readonly Row[]>> {
    const described = await Promise.all(
      rows.map(async (row) => ({ row, text: JSON.stringify(await textsOf(row.asset)) })),
    )
    const byText = Map.groupBy(described, ({ text }) => text)
    return new Map(byText.entries().map(([text, same]) => [text, same.map(({ row }) => row)]))
  }

  async function textsOf(asset: AssetRecord): Promise<readonly string[]> {
    const facts = asset.contentType.startsWith('image/') ? await factsOf(asset.sha256) : undefined
    return meaningTexts(asset, synonymsOf, facts?.text)
  }

  async function vectorOf(text: string, kept: Uint8Array | undefined): Promise<Uint8Array> {
    if (kept) return kept
    const packed = packVector(await embedTogether(embedder, JSON.parse(text) as string[]))
    await store.save(embedder.space, new Map([[keyOf(text), packed]]))
    return packed
  }

  return {
    describe,
    async complete(paths) {
      synonyms ??= await readSynonyms()
      const index = documents()
      const rows = paths.flatMap((path) => rowAt(index, path))
      for (const { row, asset } of rows) index.call(row, otherNames(asset, synonymsOf))
      const byText = await rowsByText(rows)
      const kept = await store.find(embedder.space, [...byText.keys()].map(keyOf))
      for (const [text, same] of byText) {
        if (signal.aborted) return
        const packed = await vectorOf(text, kept.get(keyOf(text)))
        for (const { row } of same) index.vectors.set(row, packed)
      }
      await forgetOtherModels()
    },
  }
}

const keyOf = (text: string): string => Bun.SHA256.hash(text, 'hex')

function rowAt(index: Documents, path: string): readonly Row[] {
  const row = index.rowOf(path)
  const asset = row === undefined ? undefined : index.at(row)
  return row === undefined || asset === undefined ? [] : [{ row, asset }]
}

/** Each text is embedded alone; their sum, of length 1, stands for all. */
async function embedTogether(embedder: Embedder, texts: readonly string[]): Promise<Float32Array> {
  let sum = new Float32Array(0)
  for (const text of texts) {
    const vector = await embedder.embed(text, 'background')
    sum = vector.map((value, place) => value + (sum[place] ?? 0))
  }
  const length = Math.hypot(...sum)
  if (length === 0) throw new EmbedderUnavailableError('the model answers nothing')
  return sum.map((value) => value / length)
}
