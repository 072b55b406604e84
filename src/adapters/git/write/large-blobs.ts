import { crc32 } from 'node:zlib'

import { releaseBytes } from '../../../lib/bytes/byte-streams.ts'
import { Adler32 } from '../../../lib/bytes/checksums.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { BlobBytes, BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import { objectHasher } from '../objects/object-id.ts'
import { objectHeader, packHeaderBytes } from '../objects/pack-format.ts'
import type { PackStore, PackStream, UnfinishedPack } from './pack-store.ts'
import type { RecentPacks } from './recent-packs.ts'

/** From here on a blob gets a pack of its own, written before its commit's turn comes. */
export const largeBlobBytes = 512 * 2 ** 10

/** Git prunes what nothing points to only when it is two weeks old; ours to hand out for an hour. */
const stagedForMilliseconds = 3_600_000
const maxStaged = 10_000

interface Dependencies {
  readonly packs: PackStore
  /** Left out for branches of which nobody asks which packs lead along them. */
  readonly recent?: RecentPacks
  readonly blobs: BlobStore
  readonly now: () => Date
}

interface StagedBlob {
  readonly id: string
  readonly until: number
}

/** Brings large blobs into the repository ahead of the commits that name them, a piece at a time. */
export class LargeBlobs {
  readonly #packs: PackStore
  readonly #recent: RecentPacks | undefined
  readonly #blobs: BlobStore
  readonly #now: () => Date
  readonly #stagedBySha256 = new LruCache<StagedBlob>({ maxWeight: maxStaged, weigh: () => 1 })
  readonly #stagings = createSingleFlight<void>()
  #purges = 0

  constructor({ packs, recent, blobs, now }: Dependencies) {
    this.#packs = packs
    this.#recent = recent
    this.#blobs = blobs
    this.#now = now
  }

  /** Git's id of a blob that is in the repository by now; `undefined` where it must be staged. */
  idOf({ sha256 }: BlobRef): string | undefined {
    const staged = this.#stagedBySha256.get(sha256)
    return staged && staged.until > this.#now().getTime() ? staged.id : undefined
  }

  /** What no commit names yet may be gone. */
  forget(): void {
    this.#purges += 1
    this.#stagedBySha256.clear()
  }

  /** Answers once the blobs are in the repository and would survive a power cut. */
  async stage(refs: readonly BlobRef[]): Promise<void> {
    for (const ref of refs) {
      if (this.idOf(ref) !== undefined) continue
      await this.#stagings.share(ref.sha256, () => this.#stageOne(ref))
    }
  }

  async #stageOne(ref: BlobRef): Promise<void> {
    const purges = this.#purges
    const content = await this.#blobs.open(ref.sha256)
    if (!content) throw new Error(`The blob ${ref.sha256} is not in the blob store`)
    const hasher = objectHasher('blob', ref.sizeBytes)
    const pack = await this.#packs.stream(1, (stream) =>
      writeBlob(stream, { ref, content, hasher }),
    )
    await this.#packs.install(pack, this.#recent)
    if (purges !== this.#purges) return await this.#stageOne(ref)
    const until = this.#now().getTime() + stagedForMilliseconds
    this.#stagedBySha256.set(ref.sha256, { id: hasher.digest('hex'), until })
  }
}

async function writeBlob(
  pack: PackStream,
  { ref, content, hasher }: { ref: BlobRef; content: BlobBytes; hasher: Bun.CryptoHasher },
): Promise<UnfinishedPack> {
  let crc = 0
  const append = async (part: Uint8Array) => {
    crc = crc32(part, crc)
    await pack.append(part)
  }
  await append(objectHeader('blob', ref.sizeBytes))
  let sizeBytes = 0
  for await (const part of stored(content.stream(), (bytes) => hasher.update(bytes))) {
    sizeBytes += part.contentBytes
    await append(part.bytes)
    if (part.contentBytes > 0) releaseBytes(part.bytes)
  }
  if (sizeBytes !== ref.sizeBytes)
    throw new Error(
      `The blob ${ref.sha256} has ${sizeBytes} bytes and should have ${ref.sizeBytes}`,
    )
  const id = hasher.copy().digest('hex')
  return pack.finish([{ id, crc32: crc, offset: packHeaderBytes }])
}

const largestStoredBlock = 0xffff
const zlibHeader = Buffer.of(0x78, 0x01)
const lastBlock = Buffer.of(0x01, 0x00, 0x00, 0xff, 0xff)

/** A zlib stream of stored blocks (RFC 1950, RFC 1951 §3.2.4): large files are media, which deflate in vain. */
async function* stored(
  content: AsyncIterable<Uint8Array>,
  see: (bytes: Uint8Array) => void,
): AsyncGenerator<{ bytes: Uint8Array; contentBytes: number }, void, undefined> {
  const checksum = new Adler32()
  yield { bytes: zlibHeader, contentBytes: 0 }
  for await (const chunk of content) {
    see(chunk)
    checksum.update(chunk)
    const contentBytes = chunk.length
    const bytes = storedBlocks(chunk)
    releaseBytes(chunk)
    yield { bytes, contentBytes }
  }
  const trailer = Buffer.alloc(4)
  trailer.writeUInt32BE(checksum.value)
  yield { bytes: Buffer.concat([lastBlock, trailer]), contentBytes: 0 }
}

function storedBlocks(chunk: Uint8Array): Buffer {
  const parts: Uint8Array[] = []
  for (let start = 0; start < chunk.length; start += largestStoredBlock) {
    const block = chunk.subarray(start, start + largestStoredBlock)
    const header = Buffer.alloc(5)
    header.writeUInt16LE(block.length, 1)
    header.writeUInt16LE(block.length ^ 0xffff, 3)
    parts.push(header, block)
  }
  return Buffer.concat(parts)
}
