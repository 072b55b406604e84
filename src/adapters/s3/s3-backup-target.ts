import type {
  BackupTarget,
  KeptPiece,
  OpenedPiece,
  PieceSource,
} from '../../ports/backups/backup-target.ts'
import { abandonUploads } from './multipart-upload.ts'
import { S3Client, type S3ClientOptions } from './s3-client.ts'
import { S3Objects } from './s3-objects.ts'

/** Backups are moved by no hurry: a store that is slow gets the time. */
const patientLimits = { attemptMs: 120_000, totalMs: 300_000, attempts: 6, firstDelayMs: 500 }

/** Backups as objects below a prefix of a bucket. */
export class S3BackupTarget implements BackupTarget {
  readonly place: string
  readonly #client: S3Client
  readonly #objects: S3Objects

  constructor(options: S3ClientOptions) {
    const { bucket, prefix } = options.location
    this.place = `s3://${bucket}/${prefix}`.replace(/(?<!\/)\/$/u, '')
    this.#client = new S3Client({ ...options, limits: { ...patientLimits, ...options.limits } })
    this.#objects = new S3Objects(this.#client)
  }

  async put(name: string, source: PieceSource): Promise<void> {
    await this.#objects.put(name, source)
  }

  async open(name: string): Promise<OpenedPiece | undefined> {
    return await this.#objects.open(name)
  }

  async *list(start: string): AsyncIterable<KeptPiece> {
    for await (const { key, sizeBytes, changedAt } of this.#objects.list(start))
      yield { name: key, sizeBytes, changedAt }
  }

  async remove(name: string): Promise<void> {
    await this.#objects.remove(name)
  }

  /** Parts of uploads that nobody will finish take room, and are in no list. */
  async clear(): Promise<void> {
    await abandonUploads(this.#client, 'pieces/')
  }
}
