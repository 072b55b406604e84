import type { BlobRef } from '../../../../ports/content/blob-store.ts'
import { streamGit, tryGit } from '../../objects/git-command.ts'
import type { BlobReader } from '../../objects/blob-reader.ts'
import { linesOf } from '../pointers-in.ts'
import { type LargeFileHost, type LeftBehind, NoLargeFilesError } from './large-file-host.ts'

interface Dependencies {
  readonly repository: string
  readonly blobs: Pick<BlobReader, 'pointer'>
  /** The ref that notes up to which commit the remote has all large files. */
  readonly ref: string
  readonly setRef: (ref: string, commitId: string) => Promise<unknown>
  /** `undefined` where the remote is reached in a way that has none. */
  readonly host: LargeFileHost | undefined
}

const noHost = 'it is reached neither by http, https or SSH nor as a directory'

/** The large files of a mirror: they go ahead of the commits that point at them. */
export class MirroredLargeFiles {
  readonly #needs: Dependencies
  readonly #pending = new Map<string, BlobRef>()
  #scannedTo: string | undefined
  #lacks: string | undefined

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  /** Why the remote does not have all the bytes that its commits point at; `undefined` where it has. */
  get lacks(): string | undefined {
    return this.#lacks
  }

  /**
   * Brings to the remote what a commit, and those before it, point at. What it cannot have it goes
   * without: its commits are still worth having. Rejects where trying again may help.
   */
  async bring(commitId: string): Promise<void> {
    await this.#note(commitId)
    if (this.#pending.size > 0) {
      const left = await this.#upload([...this.#pending.values()])
      this.#pending.clear()
      for (const { ref } of left) this.#pending.set(ref.sha256, ref)
      this.#lacks = left[0] && `${left.length} large files, the first because ${left[0].why}`
    }
    if (this.#pending.size > 0) return
    this.#lacks = undefined
    await this.#needs.setRef(this.#needs.ref, commitId)
  }

  /** Brings large files of the remote here. Answers what it does not have. */
  async fetch(refs: readonly BlobRef[]): Promise<readonly LeftBehind[]> {
    return await this.#trying(refs, (host) => host.download(refs))
  }

  async #upload(refs: readonly BlobRef[]): Promise<readonly LeftBehind[]> {
    return await this.#trying(refs, (host) => host.upload(refs))
  }

  async #trying(
    refs: readonly BlobRef[],
    work: (host: LargeFileHost) => Promise<readonly LeftBehind[]>,
  ): Promise<readonly LeftBehind[]> {
    const { host } = this.#needs
    if (refs.length === 0) return []
    if (host === undefined) return refs.map((ref) => ({ ref, why: noHost }))
    try {
      return await work(host)
    } catch (error) {
      if (!(error instanceof NoLargeFilesError)) throw error
      return refs.map((ref) => ({ ref, why: error.message }))
    }
  }

  /** Every pointer that the commits have which were not looked at yet. */
  async #note(commitId: string): Promise<void> {
    const { repository, blobs } = this.#needs
    const since = (await this.#scannedBefore()) ?? (await this.#broughtTo())
    const beyond = since === undefined ? [] : [`^${since}`]
    const options = ['--objects', '--no-object-names', '--filter=blob:limit=1k']
    const listing = ['rev-list', ...options, commitId, ...beyond, '--']
    for await (const id of linesOf(streamGit(repository, listing))) {
      const ref = await blobs.pointer(id)
      if (ref !== undefined) this.#pending.set(ref.sha256, ref)
    }
    this.#scannedTo = commitId
  }

  /** Commits that were written anew are there no more. */
  async #scannedBefore(): Promise<string | undefined> {
    const id = this.#scannedTo
    if (id === undefined) return undefined
    const found = await tryGit(this.#needs.repository, ['cat-file', '-e', `${id}^{commit}`])
    return found.exitCode === 0 ? id : undefined
  }

  async #broughtTo(): Promise<string | undefined> {
    const { repository, ref } = this.#needs
    const { exitCode, output } = await tryGit(repository, ['rev-parse', '--verify', '--quiet', ref])
    return exitCode === 0 ? output.toString().trim() : undefined
  }
}
