import type { ErasurePlace, ErasureRecord } from '../../../ports/records/erasure.ts'

export interface ErasureTable {
  readonly id: string
  readonly path: string | null
  /** JSON, as the two lists below. */
  readonly blobs: string
  readonly reason: string
  readonly created_at: number
  readonly done_at: number | null
  readonly created_by: string
  readonly paths: string
  readonly commits: number | null
  readonly feed_seq: number | null
  readonly places: string
}

/** Bytes by their SHA-256, and paths that had them. */
export interface ErasedTable {
  readonly name: string
}

export const erasureRowOf = (erasure: ErasureRecord): ErasureTable => ({
  id: erasure.id,
  path: erasure.path ?? null,
  blobs: JSON.stringify(erasure.blobs.map(({ sha256, sizeBytes }) => [sha256, sizeBytes])),
  reason: erasure.reason,
  created_at: erasure.createdAt.getTime(),
  done_at: erasure.doneAt?.getTime() ?? null,
  created_by: erasure.createdBy,
  paths: JSON.stringify(erasure.paths),
  commits: erasure.commits ?? null,
  feed_seq: erasure.feedSeq ?? null,
  places: placesText(erasure.places),
})

export const erasureOf = (row: ErasureTable): ErasureRecord => ({
  id: row.id,
  path: row.path ?? undefined,
  blobs: (JSON.parse(row.blobs) as [string, number][]).map(([sha256, sizeBytes]) => ({
    sha256,
    sizeBytes,
  })),
  reason: row.reason,
  createdAt: new Date(row.created_at),
  doneAt: row.done_at === null ? undefined : new Date(row.done_at),
  createdBy: row.created_by,
  paths: JSON.parse(row.paths) as string[],
  commits: row.commits ?? undefined,
  feedSeq: row.feed_seq ?? undefined,
  places: placesOf(row.places),
})

type PlaceRow = readonly [name: string, state: ErasurePlace['state'], atMs: number, detail: string]

export const placesText = (places: readonly ErasurePlace[]): string =>
  JSON.stringify(
    places.map(({ name, state, at, detail }): PlaceRow => [name, state, at.getTime(), detail]),
  )

export const placesOf = (text: string): readonly ErasurePlace[] =>
  (JSON.parse(text) as PlaceRow[]).map(([name, state, atMs, detail]) => ({
    name,
    state,
    at: new Date(atMs),
    detail,
  }))
