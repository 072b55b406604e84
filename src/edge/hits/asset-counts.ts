import type { HitCounter, HitKey, HitRow } from './hit-counter.ts'

/** The ways in which nearly all assets are answered with. All else has counters of its own. */
export const answerKinds = [
  { status: 200, cache: 'HIT' },
  { status: 304, cache: 'HIT' },
  { status: 200, cache: 'MISS' },
] as const

/** A place in the list of them. */
export type AnswerKind = 0 | 1 | 2
export const wholeHit = 0
export const unchangedHit = 1

/** An answer to GET about an asset, or several that are counted together. */
export interface AssetAnswer {
  readonly about: Pick<HitKey, 'zone' | 'path'>
  readonly country: string
  readonly isTransform: boolean
  readonly kind: AnswerKind
  readonly bytes: number
  /** One where left out. */
  readonly requests?: number
  /** Of whoever answers about this alone, and so need not be looked for each time. */
  readonly place?: CountPlace | undefined
}

/** Where something was counted last. Whoever has one keeps it as it is. */
export interface CountPlace {
  epoch: number
  row: number
}

export const noPlace = (): CountPlace => ({ epoch: -1, row: none })

/**
 * Counts of assets in arrays, so that none has an object of its own: there may be a hundred thousand between two
 * times that they are taken away.
 */
export interface AssetCounts {
  /** `false`, and nothing is counted, where there is no room for one more asset. */
  add(answer: AssetAnswer): boolean
  /** Takes over what was counted of the same elsewhere; `false` where nothing of that is counted here. */
  absorb(counter: HitCounter): boolean
  /** Hands over all counts, and begins anew. */
  take(): HitRow[]
}

/** The end of a list of rows. */
const none = -1
const firstRoom = 1024
const kinds = answerKinds.length

export function createAssetCounts(maxRows: number): AssetCounts {
  /** Of each path the newest row. Those of a path are as many as countries that it was asked for from. */
  const newestByPath = new Map<string, number>()
  const abouts: AssetAnswer['about'][] = []
  const countries: string[] = []
  let epoch = 0
  let older = new Int32Array(firstRoom)
  let isTransform = new Uint8Array(firstRoom)
  let requests = new Float64Array(firstRoom * kinds)
  let bytesSent = new Float64Array(firstRoom * kinds)

  function find(path: string, country: string, transforms: boolean): number {
    let row = newestByPath.get(path) ?? none
    while (row !== none && !(countries[row] === country && (isTransform[row] === 1) === transforms))
      row = older[row]!
    return row
  }

  function addRow({ about, country, isTransform: transforms }: AssetAnswer): number {
    const row = abouts.length
    if (row === older.length) grow(row * 2)
    older[row] = newestByPath.get(about.path) ?? none
    isTransform[row] = Number(transforms)
    newestByPath.set(about.path, row)
    abouts.push(about)
    countries.push(country)
    return row
  }

  function grow(room: number): void {
    older = copyOf(older, new Int32Array(room))
    isTransform = copyOf(isTransform, new Uint8Array(room))
    requests = copyOf(requests, new Float64Array(room * kinds))
    bytesSent = copyOf(bytesSent, new Float64Array(room * kinds))
  }

  /** Written out, since there are many: to spread what it is of takes several times as long. */
  function rowOf(row: number, kind: AnswerKind): HitRow {
    const { zone, path } = abouts[row]!
    const { status, cache } = answerKinds[kind]
    const cell = row * kinds + kind
    const counted: HitRow = {
      isAsset: true,
      requests: requests[cell]!,
      bytes: bytesSent[cell]!,
      aborted: 0,
      zone,
      path,
      status,
      method: 'GET',
      cache,
      country: countries[row]!,
    }
    return isTransform[row] === 1 ? { ...counted, isTransform: true } : counted
  }

  /** The row of an answer; {@link none} where there is no room for it. */
  function rowFor(answer: AssetAnswer): number {
    const { about, country, place } = answer
    if (place?.epoch === epoch && countries[place.row] === country) return place.row
    const found = find(about.path, country, answer.isTransform)
    if (found === none && abouts.length >= maxRows) return none
    const row = found === none ? addRow(answer) : found
    if (place !== undefined) {
      place.epoch = epoch
      place.row = row
    }
    return row
  }

  return {
    add(answer) {
      const row = rowFor(answer)
      if (row === none) return false
      const cell = row * kinds + answer.kind
      requests[cell]! += answer.requests ?? 1
      bytesSent[cell]! += answer.bytes
      return true
    },
    absorb({ key, requests: counted, bytes }) {
      const kind = answerKindOf(key)
      const row = kind === undefined ? none : find(key.path, key.country, key.isTransform === true)
      const cell = row * kinds + (kind ?? 0)
      if (row === none || requests[cell] === 0) return false
      requests[cell]! += counted
      bytesSent[cell]! += bytes
      return true
    },
    take() {
      const rows: HitRow[] = []
      for (let row = 0; row < abouts.length; row += 1)
        for (const kind of [0, 1, 2] as const)
          if (requests[row * kinds + kind] !== 0) rows.push(rowOf(row, kind))
      requests.fill(0, 0, abouts.length * kinds)
      bytesSent.fill(0, 0, abouts.length * kinds)
      epoch += 1
      newestByPath.clear()
      abouts.length = 0
      countries.length = 0
      return rows
    },
  }
}

/** `undefined` for an answer of another kind. */
export function answerKindOf({
  method,
  status,
  cache,
}: Pick<HitKey, 'method' | 'status' | 'cache'>): AnswerKind | undefined {
  if (method !== 'GET') return undefined
  if (status === 200) return cache === 'HIT' ? wholeHit : 2
  return status === 304 && cache === 'HIT' ? unchangedHit : undefined
}

function copyOf<Numbers extends { set(from: Numbers): void }>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
