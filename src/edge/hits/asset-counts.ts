import type { HitCounter, HitKey, HitRow } from './hit-counter.ts'

/** The ways in which nearly all assets are answered with. All else has counters of its own. */
export const responseKinds = [
  { status: 200, cache: 'HIT' },
  { status: 304, cache: 'HIT' },
  { status: 200, cache: 'MISS' },
] as const

/** A place in the list of them. */
export type ResponseKind = 0 | 1 | 2
export const wholeHit = 0
export const unchangedHit = 1

/** An answer to GET about an asset, or several that are counted together. */
export interface AssetResponse {
  readonly about: Pick<HitKey, 'zone' | 'path'>
  readonly country: string
  readonly isTransform: boolean
  readonly kind: ResponseKind
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

/** The end of a list of rows. */
const none = -1
const firstRoom = 1024
const kinds = responseKinds.length

/**
 * Counts of assets in arrays, so that none has an object of its own: there may be a hundred thousand between two
 * times that they are taken away.
 */
export class AssetCounts {
  readonly #maxRows: number
  /** Of each path the newest row. Those of a path are as many as countries that it was asked for from. */
  readonly #newestByPath = new Map<string, number>()
  readonly #abouts: AssetResponse['about'][] = []
  readonly #countries: string[] = []
  #epoch = 0
  #older = new Int32Array(firstRoom)
  #isTransform = new Uint8Array(firstRoom)
  #requests = new Float64Array(firstRoom * kinds)
  #bytes = new Float64Array(firstRoom * kinds)

  constructor(maxRows: number) {
    this.#maxRows = maxRows
  }

  /** `false`, and nothing is counted, where there is no room for one more asset. */
  add(answer: AssetResponse): boolean {
    const row = this.#rowFor(answer)
    if (row === none) return false
    const cell = row * kinds + answer.kind
    this.#requests[cell]! += answer.requests ?? 1
    this.#bytes[cell]! += answer.bytes
    return true
  }

  /** Takes over what was counted of the same elsewhere; `false` where nothing of that is counted here. */
  absorb({ key, requests, bytes }: HitCounter): boolean {
    const kind = responseKindOf(key)
    if (kind === undefined) return false
    const row = this.#find(key.path, key.country, key.isTransform === true)
    const cell = row * kinds + kind
    if (row === none || this.#requests[cell] === 0) return false
    this.#requests[cell]! += requests
    this.#bytes[cell]! += bytes
    return true
  }

  /** Hands over all counts, and begins anew. */
  take(): HitRow[] {
    const count = this.#abouts.length
    const rows: HitRow[] = []
    for (let row = 0; row < count; row += 1)
      for (const kind of [0, 1, 2] as const)
        if (this.#requests[row * kinds + kind] !== 0) rows.push(this.#rowOf(row, kind))
    this.#requests.fill(0, 0, count * kinds)
    this.#bytes.fill(0, 0, count * kinds)
    this.#epoch += 1
    this.#newestByPath.clear()
    this.#abouts.length = 0
    this.#countries.length = 0
    return rows
  }

  /** The row of an answer; {@link none} where there is no room for it. */
  #rowFor(answer: AssetResponse): number {
    const { about, country, place } = answer
    if (place?.epoch === this.#epoch && this.#countries[place.row] === country) return place.row
    const found = this.#find(about.path, country, answer.isTransform)
    if (found === none && this.#abouts.length >= this.#maxRows) return none
    const row = found === none ? this.#addRow(answer) : found
    if (place !== undefined) {
      place.epoch = this.#epoch
      place.row = row
    }
    return row
  }

  #find(path: string, country: string, isTransform: boolean): number {
    let row = this.#newestByPath.get(path) ?? none
    while (row !== none && !this.#isOf(row, country, isTransform)) row = this.#older[row]!
    return row
  }

  #isOf(row: number, country: string, isTransform: boolean): boolean {
    return this.#countries[row] === country && (this.#isTransform[row] === 1) === isTransform
  }

  #addRow({ about, country, isTransform }: AssetResponse): number {
    const row = this.#abouts.length
    if (row === this.#older.length) this.#grow(row * 2)
    this.#older[row] = this.#newestByPath.get(about.path) ?? none
    this.#isTransform[row] = Number(isTransform)
    this.#newestByPath.set(about.path, row)
    this.#abouts.push(about)
    this.#countries.push(country)
    return row
  }

  #grow(room: number): void {
    this.#older = copyOf(this.#older, new Int32Array(room))
    this.#isTransform = copyOf(this.#isTransform, new Uint8Array(room))
    this.#requests = copyOf(this.#requests, new Float64Array(room * kinds))
    this.#bytes = copyOf(this.#bytes, new Float64Array(room * kinds))
  }

  /** Written out, since there are many: to spread what it is of takes several times as long. */
  #rowOf(row: number, kind: ResponseKind): HitRow {
    const { zone, path } = this.#abouts[row]!
    const { status, cache } = responseKinds[kind]
    const cell = row * kinds + kind
    const counted: HitRow = {
      isAsset: true,
      requests: this.#requests[cell]!,
      bytes: this.#bytes[cell]!,
      aborted: 0,
      zone,
      path,
      status,
      method: 'GET',
      cache,
      country: this.#countries[row]!,
    }
    return this.#isTransform[row] === 1 ? { ...counted, isTransform: true } : counted
  }
}

/** `undefined` for an answer of another kind. */
export function responseKindOf({
  method,
  status,
  cache,
}: Pick<HitKey, 'method' | 'status' | 'cache'>): ResponseKind | undefined {
  if (method !== 'GET') return undefined
  if (status === 200) return cache === 'HIT' ? wholeHit : 2
  return status === 304 && cache === 'HIT' ? unchangedHit : undefined
}

function copyOf<Numbers extends { set(from: Numbers): void }>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}
