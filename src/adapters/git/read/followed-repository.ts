import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { ContentStore } from '../../../ports/content/content-store.ts'
import { AttributeCache } from '../lfs/attribute-source.ts'
import { LargeFiles } from '../lfs/large-files.ts'
import { BlobReader } from '../objects/blob-reader.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { FormerCommits } from '../rewrite/former-commits.ts'
import { DirectoryCache } from '../tree/directory-source.ts'
import { CommitLog } from './commit-log.ts'
import { PastReading } from './past-reading.ts'

/** What can be read of the past alone. */
export type RepositoryPast = Pick<
  ContentStore,
  | 'at'
  | 'buildsOn'
  | 'commitAsOf'
  | 'commitNamed'
  | 'declaredPaths'
  | 'declaredType'
  | 'declaredTypes'
  | 'differing'
  | 'head'
  | 'history'
  | 'versions'
>

/** What a repository has that others bring to where it is. */
interface State {
  readonly commitId: string | undefined
  /** Another number says that commits were written anew. */
  readonly renewals: number
}

interface Options {
  /** The bare repository. Nothing is written to it here. */
  readonly directory: string
  readonly blobs: BlobStore
  readonly state: () => State
  readonly now: () => Date
  readonly onWarning: (message: string) => void
}

interface Generation {
  readonly renewals: number
  readonly past: Promise<PastReading>
}

/** Reads a repository that somebody else keeps to where the published state is; always as of what it has then. */
export class FollowedRepository implements RepositoryPast, AsyncDisposable {
  readonly #options: Options
  readonly #objects: ObjectReader
  readonly #sources: ConstructorParameters<typeof CommitLog>[0]['sources']
  #generation: Generation | undefined

  constructor(options: Options) {
    const { directory, blobs, now } = options
    this.#options = options
    this.#objects = new ObjectReader(directory)
    this.#sources = {
      directories: new DirectoryCache(this.#objects),
      attributes: new AttributeCache(this.#objects),
      blobs: new BlobReader(this.#objects, blobs),
      largeFiles: new LargeFiles({ repository: directory, blobs, now }),
    }
  }

  at: RepositoryPast['at'] = async (...asked) => await (await this.#past()).at(...asked)
  history: RepositoryPast['history'] = async (...asked) =>
    await (await this.#past()).history(...asked)
  versions: RepositoryPast['versions'] = async (...asked) =>
    await (await this.#past()).versions(...asked)
  differing: RepositoryPast['differing'] = async (...asked) =>
    await (await this.#past()).differing(...asked)
  commitNamed: RepositoryPast['commitNamed'] = async (...asked) =>
    await (await this.#past()).commitNamed(...asked)
  commitAsOf: RepositoryPast['commitAsOf'] = async (...asked) =>
    await (await this.#past()).commitAsOf(...asked)
  buildsOn: RepositoryPast['buildsOn'] = async (...asked) =>
    await (await this.#past()).buildsOn(...asked)
  declaredType: RepositoryPast['declaredType'] = async (...asked) =>
    await (await this.#past()).declaredType(...asked)
  declaredTypes: RepositoryPast['declaredTypes'] = async (...asked) =>
    await (await this.#past()).declaredTypes(...asked)
  declaredPaths: RepositoryPast['declaredPaths'] = async () =>
    await (await this.#past()).declaredPaths()

  async head(): Promise<string | undefined> {
    return this.#options.state().commitId
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#objects[Symbol.asyncDispose]()
  }

  /** What was remembered of commits that were written anew is remembered no more. */
  async #past(): Promise<PastReading> {
    const { renewals, commitId } = this.#options.state()
    // Before there is a commit there is nothing whose former ids could be known.
    if (commitId === undefined)
      return this.#reading({ renewals, former: FormerCommits.none(this.#options.directory) })
    if (this.#generation?.renewals !== renewals) {
      const past = this.#open(renewals, commitId)
      this.#generation = { renewals, past }
      past.catch(() => {
        if (this.#generation?.past === past) this.#generation = undefined
      })
    }
    return await this.#generation.past
  }

  async #open(renewals: number, commitId: string): Promise<PastReading> {
    const [former] = await Promise.all([
      FormerCommits.read(this.#options.directory, commitId),
      this.#objects.restart(),
    ])
    return this.#reading({ renewals, former })
  }

  #reading({ renewals, former }: { renewals: number; former: FormerCommits }): PastReading {
    const { directory: repository, state, onWarning } = this.#options
    // Lines are of whoever writes: what this repository may have of them is of former times.
    const log = new CommitLog({ repository, sources: this.#sources, onWarning, hasLines: false })
    let newest: string | undefined
    return new PastReading({
      log,
      former,
      head: () => {
        const now = state()
        if (now.renewals === renewals) newest = now.commitId
        return newest
      },
    })
  }
}
