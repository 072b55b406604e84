import { join } from 'node:path'

/** Where blobs lie below the store's directory: `sha256/ab/cd/<the other 60 digits>`. */
export interface BlobPlace {
  readonly path: string
  /** The file's directory, below `outer`, below `root`: each keeps the name of the next. */
  readonly inner: string
  readonly outer: string
  readonly root: string
}

const sha256Pattern = /^[0-9a-f]{64}$/u
const fanOutPattern = /^[0-9a-f]{2}$/u
const restPattern = /^[0-9a-f]{60}$/u

/** `undefined` for what is not a lower-case hex SHA-256, so that no other text ever becomes a path. */
export function placeOf(directory: string, sha256: string): BlobPlace | undefined {
  if (!sha256Pattern.test(sha256)) return undefined
  const root = blobRoot(directory)
  const outer = join(root, sha256.slice(0, 2))
  const inner = join(outer, sha256.slice(2, 4))
  return { path: join(inner, sha256.slice(4)), inner, outer, root }
}

/** The path alone, below `root` as {@link blobRoot} has it: asked for thousands of times a second. */
export const pathBelow = (root: string, sha256: string): string | undefined =>
  sha256Pattern.test(sha256)
    ? `${root}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256.slice(4)}`
    : undefined

export const blobRoot = (directory: string): string => join(directory, 'sha256')
/** Where bytes wait until they are kept. On the same file system as the blobs, for the rename. */
export const incomingRoot = (directory: string): string => join(directory, 'incoming')

/** Holds the mark of the last checkpoint. */
export const checkpointFile = (directory: string): string => join(directory, 'checkpoint')

export const isFanOutName = (name: string): boolean => fanOutPattern.test(name)
export const isRestName = (name: string): boolean => restPattern.test(name)

/** The names of the 256 outer directories. */
export const fanOutNames = (): string[] =>
  Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'))
