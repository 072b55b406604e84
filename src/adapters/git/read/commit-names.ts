import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import { runGit, tryGit } from '../objects/git-command.ts'
import { objectIdPattern } from '../objects/object-id.ts'
import { type LoggedCommit, logFormat, parseLog } from './log-parser.ts'

/** A commit that leads to the newest one, as it was then. */
export interface KnownCommit extends CommitPoint {
  readonly treeId: string
  /** The newest commit when it was found; of one that only a line has, that one itself. */
  readonly head: string
}

const rememberedCommits = 4096
/** Whatever is below it is a line beside main. */
export const lineRefs = 'refs/heads/preview/'
const rememberedAnswers = 16_384
/** Anybody can make objects with the same first digits; nobody has so many by chance. */
const maxCandidates = 64

/**
 * Which commits lead to the newest one, or along a line beside it. Asks git once for each that does; of
 * others again each time.
 */
export class CommitNames {
  readonly #repository: string
  readonly #hasLines: boolean
  #commitById = emptyCommits()
  #lineCommitById = emptyCommits()
  readonly #buildsOn = new LruCache<boolean>({ maxWeight: rememberedAnswers, weigh: () => 1 })
  readonly #flights = createSingleFlight<KnownCommit | undefined>()

  constructor(repository: string, hasLines = true) {
    this.#repository = repository
    this.#hasLines = hasLines
  }

  /** A commit that `head` or a line builds on, by its whole id. */
  async known(id: string, head: string): Promise<KnownCommit | undefined> {
    if (!objectIdPattern.test(id)) return undefined
    return (
      this.#commitById.get(id) ??
      this.#lineCommitById.get(id) ??
      this.#flights.share(`${id} ${head}`, () => this.#find(id, head))
    )
  }

  /**
   * `others` are named by `text` too, by a former id of theirs. What leads along a line alone makes no name
   * of another commit ambiguous: whoever writes to one could choose its id.
   */
  async named(
    text: string,
    head: string,
    others: readonly string[] = [],
  ): Promise<KnownCommit | 'ambiguous' | undefined> {
    if (objectIdPattern.test(text)) return await this.known(text, head)
    if (!shortPattern.test(text)) return undefined
    const output = await runGit(this.#repository, ['rev-parse', `--disambiguate=${text}`])
    const ids = new Set([...output.toString('latin1').split('\n').filter(Boolean), ...others])
    if (ids.size > maxCandidates) return 'ambiguous'
    const known: KnownCommit[] = []
    for (const id of ids) {
      const commit = await this.known(id, head)
      if (commit !== undefined) known.push(commit)
    }
    const [found, another] = known.length > 1 ? await this.#thoseOfMain(known, head) : known
    return another === undefined ? found : 'ambiguous'
  }

  /** All of them where there are none. */
  async #thoseOfMain(known: readonly KnownCommit[], head: string): Promise<readonly KnownCommit[]> {
    const isOfMain = await Promise.all(known.map(({ id }) => this.buildsOn(head, id)))
    const ofMain = known.filter((_, index) => isOfMain[index] === true)
    return ofMain.length > 0 ? ofMain : known
  }

  async asOf(moment: Date, head: string): Promise<KnownCommit | undefined> {
    const seconds = Math.floor(moment.getTime() / 1000)
    if (seconds < 0) return undefined
    const options = ['rev-list', '-n1', '--first-parent', `--min-age=${seconds}`]
    const output = await runGit(this.#repository, [...options, '--end-of-options', head, '--'])
    return await this.known(output.toString('latin1').trim(), head)
  }

  async buildsOn(id: string, formerId: string): Promise<boolean> {
    if (!objectIdPattern.test(id) || !objectIdPattern.test(formerId)) return false
    const key = `${id} ${formerId}`
    const known = this.#buildsOn.get(key)
    if (known !== undefined) return known
    const isAbove = id === formerId || (await this.#isAncestor(formerId, id))
    if (isAbove !== undefined) this.#buildsOn.set(key, isAbove)
    return isAbove === true
  }

  /** The branch was moved to where not all of them lead. */
  forget(): void {
    this.#commitById = emptyCommits()
    this.#lineCommitById = emptyCommits()
    this.#buildsOn.clear()
  }

  /** A line is gone: what led along it alone is not to be found any more. */
  forgetLines(): void {
    this.#lineCommitById = emptyCommits()
  }

  async #find(id: string, head: string): Promise<KnownCommit | undefined> {
    const isOfMain = await this.#isAncestor(id, head)
    if (isOfMain === undefined) return undefined
    const found = isOfMain ? this.#commitById : this.#lineCommitById
    if (!isOfMain && !(await this.#isOfLine(id))) return undefined
    const logged = await describeCommit(this.#repository, id)
    // The id of a tag leads to a commit, and is not its name.
    if (logged?.id !== id) return undefined
    const { treeId, seconds } = logged
    const known = { id, treeId, head: isOfMain ? head : id, committedAt: new Date(seconds * 1000) }
    found.set(id, known)
    return known
  }

  async #isOfLine(id: string): Promise<boolean> {
    if (!this.#hasLines) return false
    const options = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${id}`]
    return (await runGit(this.#repository, [...options, lineRefs])).length > 0
  }

  /** `undefined` where git has nothing to compare. */
  async #isAncestor(id: string, head: string): Promise<boolean | undefined> {
    const options = ['merge-base', '--is-ancestor', '--end-of-options']
    const { exitCode } = await tryGit(this.#repository, [...options, id, head])
    return exitCode <= 1 ? exitCode === 0 : undefined
  }
}

const emptyCommits = () =>
  new LruCache<KnownCommit>({ maxWeight: rememberedCommits, weigh: () => 1 })

/** The commit itself, without its changes; `undefined` where there is none. */
export async function describeCommit(
  repository: string,
  id: string,
): Promise<LoggedCommit | undefined> {
  return parseLog(await runGit(repository, ['log', '-z', '-n1', logFormat, id]))[0]
}

const shortPattern = /^[0-9a-f]{7,39}$/u
