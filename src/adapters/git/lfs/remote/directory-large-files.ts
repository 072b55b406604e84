import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { BlobRef, BlobStore } from '../../../../ports/content/blob-store.ts'
import { RemoteUnavailableError } from '../../../../ports/content/remote-repository.ts'
import { flushPath, NewFile } from '../../objects/durable-file.ts'
import { lfsObjectPath } from '../pointer.ts'
import type { LargeFileHost, LeftBehind } from './large-file-host.ts'

interface Options {
  readonly url: string
  readonly blobs: Pick<BlobStore, 'open' | 'receive' | 'stat'>
}

/** A remote in a directory: objects lie where git-lfs looks for them there. */
export class DirectoryLargeFiles implements LargeFileHost {
  readonly #repository: string
  readonly #blobs: Options['blobs']

  constructor({ url, blobs }: Options) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url
    const inside = join(path, '.git')
    this.#repository = existsSync(inside) ? inside : path
    this.#blobs = blobs
  }

  async upload(refs: readonly BlobRef[]): Promise<readonly LeftBehind[]> {
    const left: LeftBehind[] = []
    for (const ref of refs) {
      const why = await this.#copyThere(ref)
      if (why !== undefined) left.push({ ref, why })
    }
    return left
  }

  async download(refs: readonly BlobRef[]): Promise<readonly LeftBehind[]> {
    const left: LeftBehind[] = []
    for (const ref of refs) {
      const why = await this.#copyHere(ref)
      if (why !== undefined) left.push({ ref, why })
    }
    return left
  }

  async open({ sha256, sizeBytes }: BlobRef): Promise<ReadableStream<Uint8Array> | undefined> {
    const file = Bun.file(lfsObjectPath(this.#repository, sha256))
    return (await file.exists()) && file.size === sizeBytes ? file.stream() : undefined
  }

  async #copyThere({ sha256, sizeBytes }: BlobRef): Promise<string | undefined> {
    const place = lfsObjectPath(this.#repository, sha256)
    const there = Bun.file(place)
    if ((await there.exists()) && there.size === sizeBytes) return undefined
    const blob = await this.#blobs.open(sha256)
    if (blob?.size !== sizeBytes) return 'its bytes are lost here'
    try {
      await mkdir(dirname(place), { recursive: true })
      await copyDurably(blob.stream(), place)
      return undefined
    } catch (cause) {
      throw new RemoteUnavailableError(`Large files could not be copied to the remote`, { cause })
    }
  }

  async #copyHere(ref: BlobRef): Promise<string | undefined> {
    const bytes = await this.open(ref)
    if (bytes === undefined) return 'the remote does not have its bytes'
    await using incoming = await this.#blobs.receive(bytes)
    if (incoming.sha256 !== ref.sha256) return 'the remote has other bytes'
    await incoming.keep()
    return undefined
  }
}

/** Under another name first: what git-lfs finds under a name, it takes for whole. */
async function copyDurably(source: ReadableStream<Uint8Array>, place: string): Promise<void> {
  const unfinished = `${place}.${process.pid}.tmp`
  await rm(unfinished, { force: true })
  {
    await using file = await NewFile.create(unfinished)
    for await (const chunk of source) await file.append([chunk])
    await file.flush()
  }
  await rename(unfinished, place)
  await flushPath(dirname(place))
}
