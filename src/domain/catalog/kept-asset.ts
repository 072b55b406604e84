import type { AssetMetadata } from '../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'

/** What many assets have in common, kept once. */
type Kind = Readonly<Pick<AssetRecord, 'zone' | 'category' | 'format' | 'contentType'>>

/** Whoever declares more types than these has them kept once more. */
const maxKinds = 10_000

const sha256Bytes = 32
/** A commit may be named by a SHA-256 too. */
const maxHashBytes = 64

/**
 * Makes of assets what the catalogue keeps of them. There may be a million, and each would be an object with
 * two dates and texts of its own for its hash and its name: what follows from the rest is worked out when it
 * is read. The same record comes back where it is kept so already, or has something that does not fit.
 */
export function createKeeping(): (record: AssetRecord) => AssetRecord {
  const kinds = new Map<string, Kind>()
  const bytes = Buffer.alloc(maxHashBytes)
  /** What stands behind the SHA-256 in `bytes`. */
  let lastCommitId = ''
  /** Mostly the next asset's too. */
  let last: Kind | undefined

  function kindOf(record: AssetRecord): Kind {
    if (last === undefined || !isOfKind(record, last)) last = sharedKind(record)
    return last
  }

  function sharedKind({ zone, category, format, contentType }: AssetRecord): Kind {
    const key = `${zone}/${category}/${format}/${contentType}`
    const known = kinds.get(key)
    if (known !== undefined) return known
    if (kinds.size >= maxKinds) kinds.clear()
    const kind = { zone, category, format, contentType }
    kinds.set(key, kind)
    return kind
  }

  /** The SHA-256 and behind it the commit, a character a byte; `undefined` where they are no such texts. */
  function packedHashes({ sha256, commitId }: AssetRecord): string | undefined {
    const commitBytes = commitId.length / 2
    if (sha256.length !== sha256Bytes * 2 || commitBytes > maxHashBytes - sha256Bytes)
      return undefined
    if (!isWritten(sha256, bytes, 0)) return undefined
    if (commitId !== lastCommitId && !isWritten(commitId, bytes, sha256Bytes)) {
      lastCommitId = ''
      return undefined
    }
    lastCommitId = commitId
    return bytes.toString('latin1', 0, sha256Bytes + commitBytes)
  }

  return (record) => {
    if (record instanceof KeptAsset) return record
    const packed = isNamedByPath(record) ? packedHashes(record) : undefined
    return packed === undefined ? record : new KeptAsset(record, kindOf(record), packed)
  }
}

/** Writes digits of hexadecimal as bytes, up to the first character that is none of them; whether that was all. */
const isWritten = (digits: string, bytes: Buffer, at: number): boolean =>
  bytes.write(digits, at, 'hex') * 2 === digits.length && digits === digits.toLowerCase()

const isNamedByPath = ({ path, name }: AssetRecord): boolean =>
  path.lastIndexOf('/') === path.length - name.length - 1 && path.endsWith(name)

const isOfKind = (record: AssetRecord, kind: Kind): boolean =>
  record.zone === kind.zone &&
  record.category === kind.category &&
  record.format === kind.format &&
  record.contentType === kind.contentType

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Its members are its class's: a copy of it is made by `assetWith`, not by spreading it. */
class KeptAsset implements AssetRecord {
  readonly path: string
  readonly sizeBytes: number
  declare readonly metadata?: AssetMetadata
  readonly #kind: Kind
  readonly #createdAtMs: number
  readonly #changedAtMs: number
  /** The SHA-256, and after it the commit, a character a byte. */
  readonly #hashes: string

  constructor(record: AssetRecord, kind: Kind, hashes: string) {
    this.path = record.path
    this.sizeBytes = record.sizeBytes
    this.#kind = kind
    this.#createdAtMs = record.createdAt.getTime()
    this.#changedAtMs = record.changedAt.getTime()
    this.#hashes = hashes
    if (record.metadata !== undefined) this.metadata = record.metadata
  }

  get zone(): string {
    return this.#kind.zone
  }

  get category(): string {
    return this.#kind.category
  }

  get format(): string {
    return this.#kind.format
  }

  get contentType(): string {
    return this.#kind.contentType
  }

  get name(): string {
    return nameIn(this.path)
  }

  get createdAt(): Date {
    return new Date(this.#createdAtMs)
  }

  get changedAt(): Date {
    return new Date(this.#changedAtMs)
  }

  get sha256(): string {
    return hexOf(this.#hashes.slice(0, sha256Bytes))
  }

  get commitId(): string {
    return hexOf(this.#hashes.slice(sha256Bytes))
  }
}

const hexOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('hex')
