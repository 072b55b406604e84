export type CacheResult = 'HIT' | 'MISS'

/** What is counted together. No address and nothing else that tells of a person. */
export interface HitKey {
  /** `''` where the request named no zone. */
  readonly zone: string
  /** The asset's path without a slash in front, or the path as asked for where there is none. */
  readonly path: string
  readonly status: number
  readonly method: string
  readonly cache: CacheResult
  /** ISO 3166-1 alpha-2, or `XX`. */
  readonly country: string
  /** Of an image that is made of the asset when it is asked for. */
  readonly isTransform?: boolean
}

export interface HitRow extends HitKey {
  /** Whether the path is an asset's, so that a client cannot make up any number of them. */
  readonly isAsset: boolean
  readonly requests: number
  /** Bytes of bodies; of large ones what has left, which may be of requests that an earlier row counts. */
  readonly bytes: number
  /** How many requests the client broke off, of this row or an earlier one. */
  readonly aborted: number
}

/** Counters of one row, until it is handed out. */
export interface HitCounter {
  readonly key: HitKey
  requests: number
  bytes: number
  aborted: number
}

/** Answers to URLs that need not be any asset's: redirects, refusals. */
const openStatuses = new Set([301, 302, 303, 307, 308, 400, 401, 403, 404, 410, 414, 421, 429])

/** Whether a key's path may be one that a client made up. */
export const isOpen = ({ status }: HitKey): boolean => openStatuses.has(status)

export const newCounter = (key: HitKey): HitCounter => ({
  key,
  requests: 0,
  bytes: 0,
  aborted: 0,
})

export const nameOf = ({
  zone,
  path,
  status,
  method,
  cache,
  country,
  isTransform,
}: HitKey): string =>
  `${zone}\n${path}\n${status}\n${method}\n${cache}\n${country}${isTransform ? '\ntransform' : ''}`
