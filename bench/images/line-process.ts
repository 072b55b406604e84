import type { FileSink, Subprocess } from 'bun'

/** A process that answers every line it is sent with one line. */
export class LineProcess implements AsyncDisposable {
  readonly #process: Subprocess<'pipe', 'pipe', 'inherit'>
  readonly #lines: AsyncIterator<string>

  constructor(cmd: readonly string[]) {
    this.#process = Bun.spawn({ cmd: [...cmd], stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
    this.#lines = linesOf(this.#process.stdout)
  }

  get pid(): number {
    return this.#process.pid
  }

  async ask(line: string): Promise<string> {
    const input: FileSink = this.#process.stdin
    await input.write(`${line}\n`)
    await input.flush()
    return await this.next()
  }

  /** A line that it says by itself. */
  async next(): Promise<string> {
    const { value, done } = await this.#lines.next()
    if (done === true) throw new Error('The process said nothing more')
    return value
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill()
    await this.#process.exited
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
