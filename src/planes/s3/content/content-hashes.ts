import { S3Error } from '../s3-error.ts'
import type { ContentDigests } from '../s3-request.ts'
import {
  type ChecksumAlgorithm,
  checksumField,
  checksumKinds,
  isChecksum,
  type RunningHash,
} from './content-checksums.ts'
import type { ContentTerms } from './content-terms.ts'

/** What is hashed of content on its way, and held against what was said of it. */
export class ContentHashes {
  readonly #terms: ContentTerms
  readonly #md5 = new Bun.CryptoHasher('md5')
  readonly #hashes: ReadonlyMap<ChecksumAlgorithm, RunningHash>
  #trailing: string | undefined

  constructor(terms: ContentTerms) {
    this.#terms = terms
    const { sha256, checksum } = terms
    const wanted = new Set<ChecksumAlgorithm>(sha256 === undefined ? [] : ['SHA256'])
    if (checksum !== undefined) wanted.add(checksum.algorithm)
    this.#hashes = new Map([...wanted].map((each) => [each, checksumKinds[each].open()]))
  }

  update(bytes: Uint8Array): void {
    this.#md5.update(bytes)
    for (const hash of this.#hashes.values()) hash.update(bytes)
  }

  /** The checksum that came in the trailer. */
  take(trailing: string): void {
    this.#trailing = trailing
  }

  /** Once, after the last byte. Fails where something is not as it was said. */
  digests(): ContentDigests {
    const { sha256, md5: saidMd5, checksum } = this.#terms
    const found = new Map([...this.#hashes].map(([name, hash]) => [name, hash.digest()]))
    const text = (name: ChecksumAlgorithm, encoding: 'hex' | 'base64') =>
      Buffer.from(found.get(name) ?? []).toString(encoding)
    if (sha256 !== undefined && text('SHA256', 'hex') !== sha256)
      throw wrongSha256(sha256, text('SHA256', 'hex'))
    const md5 = this.#md5.digest()
    if (saidMd5 !== undefined && md5.toString('base64') !== saidMd5) throw wrongMd5(saidMd5, md5)
    if (checksum === undefined) return { md5: md5.toString('hex'), checksum: undefined }
    const { algorithm, value: said = this.#trailing ?? '' } = checksum
    requireChecksum(algorithm, said, text(algorithm, 'base64'))
    return { md5: md5.toString('hex'), checksum: { algorithm, value: said } }
  }
}

function requireChecksum(algorithm: ChecksumAlgorithm, said: string, found: string): void {
  if (!isChecksum(said, algorithm))
    throw new S3Error(
      'InvalidRequest',
      `Value for ${checksumField(algorithm)} trailing header is invalid.`,
    )
  if (said !== found)
    throw new S3Error(
      'BadDigest',
      `The ${algorithm} you specified did not match the calculated checksum.`,
    )
}

const wrongSha256 = (said: string, found: string): S3Error =>
  new S3Error(
    'XAmzContentSHA256Mismatch',
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
    { elements: { ClientComputedContentSHA256: said, S3ComputedContentSHA256: found } },
  )

const wrongMd5 = (said: string, found: Buffer): S3Error =>
  new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.', {
    elements: { ExpectedDigest: said, CalculatedDigest: found.toString('base64') },
  })
