import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  type PushedUpdate,
  UnfitPackError,
  UnfitPushError,
} from '../../../ports/pushes/push-receiver.ts'
import { linesOf } from '../lfs/pointers-in.ts'
import { flushPath } from '../objects/durable-file.ts'
import { streamGit, tryGit } from '../objects/git-command.ts'
import { claimsFormerId } from '../rewrite/former-commits.ts'
import type { UnfinishedPack } from '../write/pack-store.ts'
import type { IncomingPackFile } from './incoming-pack.ts'
import { type LimitedResult, type ProcessLimits, runLimited } from './limited-git.ts'

export interface ExaminationLimits extends ProcessLimits {
  /** What is not a file's content is held whole in memory. */
  readonly maxCommitBytes: number
  readonly maxDirectoryBytes: number
}

interface Options {
  /** Made for it, and nobody else's. */
  readonly directory: string
  /** Whose objects it borrows. */
  readonly repository: string
  readonly limits: ExaminationLimits
  readonly signal: AbortSignal
  /**
   * Whether a pack has to have all that its objects are made from, since what is borrowed may be somebody
   * else's, and no object may have anything that `git fsck` finds.
   */
  readonly isClosed?: boolean
}

/** What git is held to here; the configuration of the repository is not read. */
const settings = `[core]
	repositoryformatversion = 0
	bare = true
	fsync = all
	fsyncmethod = fsync
	bigfilethreshold = 512k
	packedgitwindowsize = 32m
	packedgitlimit = 256m
[pack]
	threads = 1
	writereverseindex = false
`

/**
 * Names in trees are judged path by path first, so that whoever pushes hears which ones are meant; everything
 * else that `git fsck` finds is a fault of the push at once.
 */
const judgedElsewhere = [
  'hasDot',
  'hasDotdot',
  'hasDotgit',
  'fullPathname',
  'gitmodulesBlob',
  'gitmodulesLarge',
  'gitmodulesMissing',
  'gitmodulesName',
  'gitmodulesParse',
  'gitmodulesPath',
  'gitmodulesSymlink',
  'gitmodulesUpdate',
  'gitmodulesUrl',
]

/**
 * A repository of its own that borrows the objects of ours: whatever reads repositories reads what was
 * pushed in it, and our own has nothing of it until it is found to be fit.
 */
export class Quarantine implements AsyncDisposable {
  readonly directory: string
  readonly #repository: string
  readonly #limits: ExaminationLimits
  readonly #signal: AbortSignal
  readonly #isClosed: boolean
  #pack: UnfinishedPack | undefined
  #ids: ReadonlySet<string> = new Set()
  #namesFault: string | undefined

  private constructor({ directory, repository, limits, signal, isClosed = false }: Options) {
    this.directory = directory
    this.#repository = repository
    this.#isClosed = isClosed
    this.#limits = limits
    this.#signal = signal
  }

  static async open(options: Options): Promise<Quarantine> {
    const { directory, repository } = options
    for (const path of ['objects/pack', 'objects/info', 'refs'])
      await mkdir(join(directory, path), { recursive: true })
    await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/main\n')
    await writeFile(join(directory, 'config'), settings)
    await writeFile(join(directory, 'objects/info/alternates'), `${join(repository, 'objects')}\n`)
    return new Quarantine(options)
  }

  /** Of what came in the pack. */
  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** The pack, to be taken from here; `undefined` where there is nothing in it. */
  get pack(): UnfinishedPack | undefined {
    return this.#ids.size === 0 ? undefined : this.#pack
  }

  /**
   * What `git fsck` finds wrong with names in trees that came, wherever they are: in what was merged, and in
   * directories that have no files, no path says it.
   */
  get namesFault(): string | undefined {
    return this.#namesFault
  }

  /** Looks at each object of the pack, and completes it with those that it is made from. */
  async index(incoming: IncomingPackFile): Promise<void> {
    if (incoming.sizeBytes === 0) return
    let { exitCode, output, errors } = await this.#indexed(incoming, '--strict')
    const fault = this.#isClosed ? undefined : faultOfNames(errors)
    if (exitCode !== 0 && fault !== undefined) {
      const ignored = judgedElsewhere.map((name) => `${name}=ignore`).join(',')
      ;({ exitCode, output, errors } = await this.#indexed(incoming, `--strict=${ignored}`))
      // What the pack was completed with was here before.
      const isHere = await tryGit(this.#repository, ['cat-file', '-e', fault.objectId])
      if (isHere.exitCode !== 0) this.#namesFault = fault.reason
    }
    const checksum = /^(?:pack|keep)\t([0-9a-f]{40})$/mu.exec(output.toString('latin1'))?.[1]
    if (exitCode !== 0 || checksum === undefined) throw new UnfitPackError(reasonOf(errors))
    const path = join(this.directory, 'objects/pack', `pack-${checksum}`)
    this.#pack = { packPath: `${path}.pack`, indexPath: `${path}.idx`, checksum }
    this.#ids = await this.#list(`${path}.idx`)
  }

  #indexed(incoming: IncomingPackFile, strict: string): Promise<LimitedResult> {
    const thin = this.#isClosed ? [] : ['--fix-thin']
    const args = ['index-pack', '--stdin', '--threads=1', ...thin, strict]
    return this.#run(args, Bun.file(incoming.path))
  }

  /** Whether everything is here that the new commit leads to and the branch does not. */
  async connect(formerId: string | undefined, newId: string): Promise<void> {
    const kind = await this.#run(['cat-file', '-t', newId])
    if (kind.exitCode !== 0) throw new UnfitPushError('its commit is neither sent nor here')
    if (kind.output.toString().trim() !== 'commit') throw new UnfitPushError('it is no commit')
    const args = ['rev-list', '--objects', '--quiet', '--end-of-options', newId]
    const except = formerId === undefined ? [] : [`^${formerId}`]
    const { exitCode, errors } = await this.#run([...args, ...except, '--'])
    if (exitCode !== 0) throw new UnfitPackError(reasonOf(errors))
  }

  /**
   * Fails with {@link UnfitPushError} where a new commit says what its id was before something was erased: only
   * this service says so, and addresses of the former commit would lead to the new one.
   */
  async refuseFormerIds({ formerId, newId }: PushedUpdate): Promise<void> {
    const except = formerId === undefined ? [] : [`^${formerId}`]
    const args = ['rev-list', '--header', '--end-of-options', newId, ...except, '--']
    for await (const line of linesOf(streamGit(this.directory, args)))
      if (claimsFormerId(line))
        throw new UnfitPushError('a commit says what its id was, which is for the service to say')
  }

  async isAncestor(one: string, other: string): Promise<boolean> {
    const args = ['merge-base', '--is-ancestor', '--end-of-options', one, other]
    return (await tryGit(this.directory, args)).exitCode === 0
  }

  /** Fails with {@link UnfitPushError} where the new commit does not build on the former. */
  async requireLeadingOn({ formerId, newId }: PushedUpdate): Promise<void> {
    if (formerId === undefined || (await this.isAncestor(formerId, newId))) return
    throw new UnfitPushError('it does not build on the branch: forced updates are not possible')
  }

  /** Flushes the pack where git may not have done so. */
  async flush(): Promise<void> {
    if (this.#pack === undefined) return
    await Promise.all([flushPath(this.#pack.packPath), flushPath(this.#pack.indexPath)])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { force: true, recursive: true })
  }

  #run(args: readonly string[], input?: Bun.BunFile): Promise<LimitedResult> {
    return runLimited({
      directory: this.directory,
      args,
      ...(input !== undefined && { input }),
      signal: this.#signal,
      limits: this.#limits,
    })
  }

  /** What came, each looked at for its size: commits and directories are read whole from now on. */
  async #list(indexPath: string): Promise<ReadonlySet<string>> {
    const listed = await this.#run(['show-index'], Bun.file(indexPath))
    const ids = listed.output
      .toString('latin1')
      .split('\n')
      .flatMap((line) => line.split(' ')[1] ?? [])
    const format = '--batch-check=%(objectname) %(objecttype) %(objectsize)'
    const input = new TextEncoder().encode(ids.map((id) => `${id}\n`).join(''))
    let rest = ''
    for await (const chunk of streamGit(this.directory, ['cat-file', '--buffer', format], input)) {
      const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#checkSize(line)
    }
    return new Set(ids)
  }

  #checkSize(line: string): void {
    const [id, kind = '', size] = line.split(' ')
    const { maxCommitBytes, maxDirectoryBytes } = this.#limits
    const limitByKind: Readonly<Record<string, number>> = {
      commit: maxCommitBytes,
      tag: maxCommitBytes,
      tree: maxDirectoryBytes,
    }
    const limit = limitByKind[kind]
    if (limit !== undefined && Number(size) > limit)
      throw new UnfitPackError(`its ${kind} ${id} has ${size} bytes; ${limit} are possible`)
  }
}

/** The first object of which git says so, and what. */
function faultOfNames(
  errors: string,
): { readonly objectId: string; readonly reason: string } | undefined {
  const found =
    /object (?<objectId>[0-9a-f]{40}): (?<fault>\w{1,50}): (?<reason>[^\n\r]{0,200})/u.exec(errors)
  const { objectId, fault, reason } = found?.groups ?? {}
  if (objectId === undefined || fault === undefined || !judgedElsewhere.includes(fault))
    return undefined
  return { objectId, reason: `object ${objectId}: ${reason}` }
}

/** What git said last, in one line without the paths of this machine. */
function reasonOf(errors: string): string {
  const lines = errors
    .split(/[\n\r]/u)
    .map((line) => line.replace(/^(?:fatal|error): /u, '').trim())
    .filter((line) => line !== '' && !line.includes('objects/pack'))
  return lines.at(-1) ?? 'git takes it for no pack'
}
