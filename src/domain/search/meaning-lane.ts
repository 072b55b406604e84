import type { Calm } from '../../lib/async/calm.ts'
import { RotatingQueue } from '../../lib/collections/rotating-queue.ts'
import type { Embedder } from '../../ports/media/embedder.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { VectorStore } from '../../ports/media/vector-store.ts'
import type { Documents } from './documents.ts'
import { createMeaningSchedule } from './meaning-schedule.ts'
import { joined, keptVectors, textVectors } from './vectors/text-vectors.ts'
import { createVectorTable, type VectorTable } from './vectors/vector-table.ts'

export interface MeaningLane {
  readonly embedder: Embedder
  /** Whether everything that was added has its vector. */
  readonly isDone: boolean
  /** The vectors for the rows of documents. */
  vectorsFor(documents: Documents): VectorTable
  /** What is new goes before what is not. */
  add(paths: readonly string[], isNew: boolean): void
  /** Resolves once there is nothing to do, or no model to do it with. */
  settled(): Promise<void>
}

export interface LaneSources {
  readonly store: VectorStore
  readonly documents: () => Documents
  /** What an asset means, as texts to be embedded one by one. */
  readonly textsOf: (asset: AssetRecord) => readonly string[] | Promise<readonly string[]>
  /** Of what is beyond this, the meaning is not known. */
  readonly maxVectors: number
  readonly signal: AbortSignal
  readonly onFault: (error: unknown) => void
  readonly retryMs?: number
  /** Waited for before each batch; where left out, nothing is. */
  readonly calm?: Pick<Calm, 'reached'>
}

interface Dependencies extends LaneSources {
  readonly embedder: Embedder
  /** A space whose vectors are taken as they are: no others are made but for what is new. */
  readonly formerSpace?: string
  readonly onDone?: () => unknown
}

const batchSize = 32

/** Brings the vectors of one model to what is published: from the store where it has them, else made. */
export function createMeaningLane(dependencies: Dependencies): MeaningLane {
  const { embedder, documents, textsOf, maxVectors, signal, calm } = dependencies
  // No zone's files wait for all of another's.
  const fresh = new RotatingQueue<string>()
  const others = new RotatingQueue<string>()
  let table: { readonly of: Documents; readonly vectors: VectorTable } | undefined

  function vectorsFor(index: Documents): VectorTable {
    if (table?.of !== index) table = { of: index, vectors: createVectorTable(maxVectors) }
    return table.vectors
  }

  async function complete(paths: readonly string[], areNew: boolean): Promise<void> {
    const index = documents()
    const vectors = vectorsFor(index)
    const rows = await Promise.all(
      paths
        .flatMap((path) => rowAt(index, path))
        .map(async ({ row, asset }) => ({
          row,
          texts: await textsOf(asset),
        })),
    )
    const found = await vectorsOf(dependencies, new Set(rows.flatMap(({ texts }) => texts)), areNew)
    for (const { row, texts } of rows) {
      const vector = joined(texts, found)
      if (vector) vectors.set(row, vector)
    }
    await vectors.centre()
  }

  async function completeAll(): Promise<void> {
    while (fresh.size + others.size > 0 && !signal.aborted) {
      await calm?.reached(signal)
      const waiting = fresh.size > 0 ? fresh : others
      // What changes from here on is added once more.
      const batch = takeSome(waiting)
      try {
        await complete(batch, waiting === fresh)
      } catch (error) {
        for (const path of batch) wait(waiting, path)
        throw error
      }
    }
    if (!signal.aborted) dependencies.onDone?.()
  }

  const isDone = (): boolean => fresh.size + others.size === 0
  const rounds = createMeaningSchedule({
    ...dependencies,
    work: completeAll,
    isWorkLeft: () => !isDone(),
  })
  return {
    embedder,
    get isDone() {
      return isDone()
    },
    vectorsFor,
    add(paths, isNew) {
      for (const path of paths) wait(isNew ? fresh : others, path)
      rounds.request(0)
    },
    settled: () => rounds.settled(),
  }
}

const wait = (queue: RotatingQueue<string>, path: string): void =>
  queue.put(path.slice(0, path.indexOf('/')), path, path)

const takeSome = (queue: RotatingQueue<string>): readonly string[] =>
  Array.from({ length: Math.min(batchSize, queue.size) }, () => queue.take()).filter(
    (path) => path !== undefined,
  )

async function vectorsOf(
  { formerSpace, ...sources }: Pick<Dependencies, 'embedder' | 'store' | 'signal' | 'formerSpace'>,
  texts: ReadonlySet<string>,
  areNew: boolean,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (formerSpace === undefined) return await textVectors(texts, sources)
  const kept = await keptVectors(texts, sources.store, formerSpace)
  if (!areNew || kept.size === texts.size) return kept
  return new Map([...kept, ...(await textVectors(texts.difference(kept), sources))])
}

interface Row {
  readonly row: number
  readonly asset: AssetRecord
}

function rowAt(index: Documents, path: string): readonly Row[] {
  const row = index.rowOf(path)
  const asset = row === undefined ? undefined : index.at(row)
  return row === undefined || asset === undefined ? [] : [{ row, asset }]
}
