import { setPriority } from 'node:os'

import {
  type CloneExchange,
  CloneRequestError,
  type CloneSource,
} from '../../../ports/content/clone-source.ts'
import { gitCommand, gitEnvironment } from '../objects/git-command.ts'

/** Long enough for a repository of 10 GB on a line of 50 Mbit/s. */
const longestMilliseconds = 3_600_000
/** Whoever writes or asks for assets goes before whoever clones. */
const lowPriority = 10
const keptErrorBytes = 4096

const announcement = Buffer.from('001e# service=git-upload-pack\n0000')

/** Serves a bare repository by `git upload-pack`, a process for each exchange. */
export class UploadPack implements CloneSource {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** From version 2 on, the announcement of the service is left out (gitprotocol-v2). */
  async *advertise(exchange: CloneExchange): AsyncGenerator<Uint8Array, void, undefined> {
    let isAnnounced = versionOf(exchange) === 2
    for await (const piece of this.#run(['--advertise-refs'], Buffer.alloc(0), exchange)) {
      if (!isAnnounced) yield announcement
      isAnnounced = true
      yield piece
    }
  }

  respond(
    request: Uint8Array,
    exchange: CloneExchange,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#run([], request, exchange)
  }

  async *#run(
    options: readonly string[],
    request: Uint8Array,
    exchange: CloneExchange,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const child = Bun.spawn(this.#command(options), {
      env: { ...gitEnvironment(), GIT_PROTOCOL: `version=${versionOf(exchange)}` },
      stdin: request,
      stdout: 'pipe',
      stderr: 'pipe',
      signal: exchange.signal,
      timeout: longestMilliseconds,
      killSignal: 'SIGKILL',
    })
    lower(child.pid)
    const errors = beginningOf(child.stderr)
    let hasSpoken = false
    try {
      for await (const piece of child.stdout) {
        hasSpoken = true
        yield piece
      }
      const isWell = (await child.exited) === 0
      // What is wrong with a request git says in the response, where it has begun one.
      const isSaid = hasSpoken && child.signalCode === null
      if (!isWell && !isSaid) throw new CloneRequestError(await errors)
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  }

  /** Who owns the directory is for the operator to know; git's own doubts are about other people's. */
  #command(options: readonly string[]): string[] {
    const settings = ['-c', 'safe.directory=*']
    const service = ['upload-pack', '--strict', '--stateless-rpc', ...options, this.#directory]
    return gitCommand(this.#directory, [...settings, ...service])
  }
}

function versionOf({ protocol }: CloneExchange): number {
  const versions = (protocol ?? '').split(':').map((key) => /^version=([012])$/u.exec(key)?.[1])
  return Math.max(...versions.map((version) => Number(version ?? 0)))
}

/** Reads to the end, so that the process is never held up, and keeps the beginning. */
async function beginningOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream)
    if (text.length < keptErrorBytes) text += decoder.decode(chunk, { stream: true })
  return text.slice(0, keptErrorBytes).trim()
}

function lower(processId: number): void {
  try {
    setPriority(processId, lowPriority)
  } catch {
    // It has ended already.
  }
}
