import type { ChecksumAlgorithm } from '../records/asset-metadata.ts'

/** Other hashes of the bytes that a SHA-256 names. Each can be found again by reading them. */
export interface ContentDigest {
  readonly sha256: string
  /** Lower-case hex. */
  readonly md5: string
  /** What somebody who sent the bytes has shown; in Base64. */
  readonly checksum?: { readonly algorithm: ChecksumAlgorithm; readonly value: string }
}

export interface ContentDigestStore {
  /** Those that are known, in no order. Any number may be asked for. */
  find(sha256s: readonly string[]): Promise<readonly ContentDigest[]>
  /** No SHA-256 may occur twice. A checksum that is known stays where none is given. */
  save(digests: readonly ContentDigest[]): Promise<void>
  /** Not an error where it is not known. */
  remove(sha256: string): Promise<void>
}
