import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { ifPresent } from '../../lib/files/file-faults.ts'
import { flushDirectory, makeDurableDirectory } from '../../lib/files/durable-files.ts'
import type { TextSealer } from '../../lib/secrets/text-sealer.ts'
import type { CertificateStore, StoredCertificate } from '../../ports/domains/certificate-store.ts'

interface Options {
  readonly directory: string
  /** Encrypts keys. Absent: only the mode of the files protects them. */
  readonly sealer?: TextSealer | undefined
  /** Told of a file that cannot be used. */
  readonly onUnreadable: (file: string, why: string) => void
}

/** What a file holds. A certificate needs no protection, its key does. */
interface Kept {
  readonly hostname: string
  readonly chain: string
  readonly key: string
  readonly validFrom: string
  readonly validUntil: string
}

/** The file of the account holds nothing else. */
type KeptKey = Pick<Kept, 'key'> & Partial<Kept>

const isCertificate = (kept: Partial<Kept> | undefined): kept is Kept =>
  kept?.hostname !== undefined &&
  kept.chain !== undefined &&
  kept.validFrom !== undefined &&
  kept.validUntil !== undefined

const suffix = '.json'
const accountFile = `account${suffix}`
const accountPlace = 'account'

/**
 * A file for each certificate, which the owner of the directory alone can read. The name of a file is
 * made from the host name; the one that counts is in it.
 */
export class DiskCertificateStore implements CertificateStore {
  readonly #options: Options

  private constructor(options: Options) {
    this.#options = options
  }

  /** Keys that are not sealed as they should be are sealed anew. */
  static async open(options: Options): Promise<DiskCertificateStore> {
    await mkdir(options.directory, { recursive: true, mode: 0o700 })
    await makeDurableDirectory(options.directory)
    const store = new DiskCertificateStore(options)
    await store.#reseal()
    return store
  }

  async put({ hostname, chain, key, validFrom, validUntil }: StoredCertificate): Promise<void> {
    await this.#write(fileOf(hostname), {
      hostname,
      chain,
      key: this.#seal(key, hostname),
      validFrom: validFrom.toISOString(),
      validUntil: validUntil.toISOString(),
    })
  }

  async remove(hostname: string): Promise<void> {
    await rm(join(this.#options.directory, fileOf(hostname)), { force: true })
    await flushDirectory(this.#options.directory)
  }

  async list(): Promise<readonly StoredCertificate[]> {
    const files = await this.#files()
    const found = await Promise.all(files.map((file) => this.#readCertificate(file)))
    return found
      .filter((each) => each !== undefined)
      .toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1))
  }

  async accountKey(): Promise<string | undefined> {
    const kept = await this.#read(accountFile)
    return kept && this.#open(accountFile, kept.key, accountPlace)
  }

  async keepAccountKey(key: string): Promise<void> {
    await this.#write(accountFile, { key: this.#seal(key, accountPlace) })
  }

  async #reseal(): Promise<void> {
    const { sealer } = this.#options
    if (sealer === undefined) return
    const isCurrent = (key: string, place: string) => sealer.open(key, place)?.isCurrent === true
    for (const file of [...(await this.#files()), accountFile]) {
      const kept = await this.#read(file)
      const place = file === accountFile ? accountPlace : kept?.hostname
      if (kept === undefined || place === undefined || isCurrent(kept.key, place)) continue
      const key = this.#open(file, kept.key, place)
      if (key !== undefined) await this.#write(file, { ...kept, key: this.#seal(key, place) })
    }
  }

  async #files(): Promise<readonly string[]> {
    const names = await readdir(this.#options.directory)
    return names.filter((name) => name.endsWith(suffix) && name !== accountFile)
  }

  async #readCertificate(file: string): Promise<StoredCertificate | undefined> {
    const kept = await this.#read(file)
    if (!isCertificate(kept)) return undefined
    const { hostname, chain, validFrom, validUntil } = kept
    const key = this.#open(file, kept.key, hostname)
    if (key === undefined) return undefined
    return {
      hostname,
      chain,
      key,
      validFrom: new Date(validFrom),
      validUntil: new Date(validUntil),
    }
  }

  async #read(file: string): Promise<KeptKey | undefined> {
    const text = await ifPresent(readFile(join(this.#options.directory, file), 'utf8'))
    if (text === undefined) return undefined
    try {
      const kept = JSON.parse(text) as Partial<Kept>
      if (typeof kept.key === 'string' && (file === accountFile || isCertificate(kept)))
        return { ...kept, key: kept.key }
    } catch {
      // Told below.
    }
    this.#options.onUnreadable(file, 'it is damaged')
    return undefined
  }

  #seal(key: string, place: string): string {
    return this.#options.sealer?.seal(key, place) ?? key
  }

  #open(file: string, key: string, place: string): string | undefined {
    if (!key.startsWith('v1.')) return key
    const opened = this.#options.sealer?.open(key, place)?.text
    if (opened === undefined)
      this.#options.onUnreadable(file, 'its key was encrypted with another SECRETS_KEY')
    return opened
  }

  async #write(file: string, kept: KeptKey): Promise<void> {
    const path = join(this.#options.directory, file)
    const temporary = `${path}.${randomUUID()}.new`
    try {
      await using handle = await open(temporary, 'wx', 0o600)
      await handle.writeFile(JSON.stringify(kept))
      await handle.sync()
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await flushDirectory(this.#options.directory)
  }
}

/** Readable where it fits: a file name may have 255 bytes, a host name almost as many. */
const fileOf = (hostname: string): string =>
  hostname.length <= 200
    ? `${hostname}${suffix}`
    : `${hostname.slice(0, 100)}.${createHash('sha256').update(hostname).digest('hex')}${suffix}`
