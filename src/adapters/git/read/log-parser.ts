import { nullObjectId } from '../objects/object-id.ts'

/** What `git log` is to print of a commit, ended by NULs; the message comes last, raw. */
export const logFormat = '--format=%x02%H%x00%T%x00%P%x00%an%x00%ce%x00%ct%x00%B%x00'

export interface LoggedCommit {
  readonly id: string
  readonly treeId: string
  readonly parentIds: readonly string[]
  readonly author: string
  /** The e-mail address of whoever put it into the repository. */
  readonly committer: string
  readonly seconds: number
  readonly message: string
  readonly differences: readonly Difference[]
}

/** One path that differs. A mode of zeros means that nothing is there. */
export interface Difference {
  readonly oldMode: string
  readonly newMode: string
  readonly oldId: string | undefined
  readonly newId: string | undefined
  readonly path: Buffer
}

const headerFieldCount = 7
const startOfCommit = 0x02
const colon = 0x3a
const newline = 0x0a

/** Reads `git log -z --raw` in {@link logFormat}, as it comes. Paths are bytes: git promises no encoding. */
export class LogParser {
  #unread: Buffer = Buffer.alloc(0)
  #header: string[] = []
  #differences: Difference[] = []
  #difference: Omit<Difference, 'path'> | undefined

  /** The commits that the chunk completes. */
  push(chunk: Uint8Array): LoggedCommit[] {
    const bytes = Buffer.concat([this.#unread, chunk])
    const commits: LoggedCommit[] = []
    let start = 0
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      const completed = this.#take(bytes.subarray(start, end))
      if (completed) commits.push(completed)
      start = end + 1
    }
    this.#unread = bytes.subarray(start)
    return commits
  }

  /** The last commit, which nothing follows. */
  end(): LoggedCommit[] {
    const last = this.#finish()
    return last ? [last] : []
  }

  #take(token: Buffer): LoggedCommit | undefined {
    if (this.#difference) {
      // A token is only good until the next chunk is joined to what is unread: the path is copied.
      this.#differences.push({ ...this.#difference, path: Buffer.from(token) })
      this.#difference = undefined
      return undefined
    }
    if (this.#header.length > 0 && this.#header.length < headerFieldCount) {
      this.#header.push(token.toString())
      return undefined
    }
    if (token[0] !== startOfCommit) {
      this.#takeDifference(token)
      return undefined
    }
    const before = this.#finish()
    this.#header.push(token.toString('latin1', 1))
    return before
  }

  #takeDifference(token: Buffer): void {
    const start = token[0] === newline ? 1 : 0
    if (token[start] !== colon) return
    this.#difference = parseDifference(token.toString('latin1', start + 1))
  }

  #finish(): LoggedCommit | undefined {
    const [id, treeId = '', parents = '', author = '', committer = '', ...rest] = this.#header
    const [seconds = '0', message = ''] = rest
    const differences = this.#differences
    this.#header = []
    this.#differences = []
    if (id === undefined) return undefined
    const parentIds = parents === '' ? [] : parents.split(' ')
    const told = { id, treeId, parentIds, author, committer }
    return { ...told, seconds: Number(seconds), message, differences }
  }
}

/** All of `git log -z` in {@link logFormat}. */
export function parseLog(output: Buffer): LoggedCommit[] {
  const parser = new LogParser()
  return [...parser.push(output), ...parser.end()]
}

/** `git diff-tree -z --raw` of two trees: the same entries, without commits around them. */
export function parseDifferences(output: Buffer): readonly Difference[] {
  const parser = new LogParser()
  parser.push(Buffer.concat([Buffer.of(startOfCommit), Buffer.from('x\0\0\0\0\0\0\0'), output]))
  return parser.end()[0]?.differences ?? []
}

function parseDifference(text: string): Omit<Difference, 'path'> {
  const [oldMode = '', newMode = '', oldId, newId] = text.split(' ')
  return { oldMode, newMode, oldId: presentId(oldId), newId: presentId(newId) }
}

const presentId = (id: string | undefined) => (id === nullObjectId ? undefined : id)
