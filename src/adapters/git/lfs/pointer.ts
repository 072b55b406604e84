import { join } from 'node:path'

import type { BlobRef } from '../../../ports/content/blob-store.ts'

/** No file system of today has a larger file. */
const largestBytes = 2 ** 44
const canonical =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\noid sha256:([0-9a-f]{64})\nsize (0|[1-9]\d{0,13})\n$/u

const lengthWith = (sizeDigits: number): number => 43 + 76 + 5 + sizeDigits + 1

/** Whether a file of so many bytes may be a pointer, so that most need not be read to be known. */
export const isPointerLength = (sizeBytes: number): boolean =>
  sizeBytes >= lengthWith(1) && sizeBytes <= lengthWith(14)

/** The file that stands for others in git, in the one form that the specification calls canonical. */
export const pointerText = ({ sha256, sizeBytes }: BlobRef): Buffer =>
  Buffer.from(
    `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${sizeBytes}\n`,
  )

/** What canonical pointer bytes stand for; `undefined` of any other bytes, and of sizes that no file has. */
export function parsePointer(bytes: Uint8Array): BlobRef | undefined {
  if (!isPointerLength(bytes.length)) return undefined
  const [, sha256, size] = canonical.exec(Buffer.from(bytes).toString('latin1')) ?? []
  const sizeBytes = Number(size)
  if (sha256 === undefined || sizeBytes > largestBytes) return undefined
  return { sha256, sizeBytes }
}

/** Above this, git-lfs takes no file for a pointer. */
const longestPointerBytes = 1024

export const mayBePointer = ({ sizeBytes }: BlobRef): boolean =>
  sizeBytes > 0 && sizeBytes <= longestPointerBytes

/**
 * Whether some program may take the bytes for a pointer: git-lfs reads more than the canonical form, and
 * what older ones wrote. Rather too many than one too few.
 */
export function looksLikePointer(bytes: Uint8Array): boolean {
  if (bytes.length > longestPointerBytes) return false
  const text = Buffer.from(bytes).toString('latin1')
  return /git-media|hawser|git-lfs/u.test(text) && /\boid\b/u.test(text)
}

/** Where git-lfs puts objects of a repository: a backup that was made with it has them there. */
export const lfsObjectPath = (repository: string, sha256: string): string =>
  join(repository, 'lfs', 'objects', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
