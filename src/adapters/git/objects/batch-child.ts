import { gitCommand, gitEnvironment } from './git-command.ts'

interface Waiting {
  readonly resolve: (object: GitObject | undefined) => void
  readonly reject: (error: Error) => void
}

export interface GitObject {
  readonly kind: string
  readonly sizeBytes: number
  /** Empty where only the header was asked for. */
  readonly body: Buffer
}

const newline = 0x0a
const nothing = Buffer.alloc(0)

/** One long-lived `git cat-file --batch` or `--batch-check`; answers come in the order of asking. */
export class BatchChild {
  readonly #child: Bun.Subprocess<'pipe', 'pipe', 'ignore'>
  readonly #hasBodies: boolean
  readonly #waiting: Waiting[] = []
  readonly #pumped: Promise<void>
  #unread: Buffer = nothing
  #current: { readonly object: GitObject; filledBytes: number } | undefined
  isAlive = true

  constructor(directory: string, mode: '--batch' | '--batch-check') {
    this.#hasBodies = mode === '--batch'
    this.#child = Bun.spawn(gitCommand(directory, ['cat-file', mode]), {
      env: gitEnvironment(),
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'ignore',
    })
    this.#pumped = this.#pump()
  }

  /** `undefined` where the repository has no such object. */
  ask(id: string): Promise<GitObject | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<GitObject | undefined>()
    this.#waiting.push({ resolve, reject })
    void this.#child.stdin.write(`${id}\n`)
    void this.#child.stdin.flush()
    return promise
  }

  /** Answers what has been asked, then ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stdin.end()
    await this.#pumped
    await this.#child.exited
  }

  async #pump(): Promise<void> {
    let failure: unknown
    try {
      for await (const chunk of this.#child.stdout)
        this.#take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    } catch (error) {
      failure = error
    }
    this.isAlive = false
    const error = new Error('git cat-file ended before it had answered', { cause: failure })
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  #take(chunk: Buffer): void {
    let rest = this.#unread.length > 0 ? Buffer.concat([this.#unread, chunk]) : chunk
    while (rest.length > 0) {
      const after = this.#current ? this.#takeBody(rest) : this.#takeHeader(rest)
      if (after === undefined) break
      rest = after
    }
    this.#unread = rest
  }

  /** What is left after the header line; `undefined` while the line is not whole. */
  #takeHeader(bytes: Buffer): Buffer | undefined {
    const end = bytes.indexOf(newline)
    if (end < 0) return undefined
    const [, kind = 'missing', size] = bytes.toString('latin1', 0, end).split(' ')
    const rest = bytes.subarray(end + 1)
    if (size === undefined) this.#settle(undefined)
    else if (this.#hasBodies) this.#expectBody(kind, Number(size))
    else this.#settle({ kind, sizeBytes: Number(size), body: nothing })
    return rest
  }

  #expectBody(kind: string, sizeBytes: number): void {
    const body = Buffer.allocUnsafeSlow(sizeBytes)
    this.#current = { object: { kind, sizeBytes, body }, filledBytes: 0 }
  }

  /** A body ends in a newline that is not its own. */
  #takeBody(bytes: Buffer): Buffer {
    const current = this.#current
    if (!current) return bytes
    const { body } = current.object
    const missing = body.length - current.filledBytes
    if (bytes.length <= missing) {
      current.filledBytes += bytes.copy(body, current.filledBytes)
      return nothing
    }
    bytes.copy(body, current.filledBytes, 0, missing)
    this.#current = undefined
    this.#settle(current.object)
    return bytes.subarray(missing + 1)
  }

  #settle(object: GitObject | undefined): void {
    this.#waiting.shift()?.resolve(object)
  }
}
