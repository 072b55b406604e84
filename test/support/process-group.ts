interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface ProcessGroup extends AsyncDisposable {
  /** All that was written so far, on either output. */
  output(): string
  /** What matched. */
  readonly said: string
  readonly exited: Promise<number>
  /** A signal to the program alone, and not to those it started. */
  tellFirst(signal: NodeJS.Signals): void
  /** SIGINT to all of it, as a terminal does at Ctrl-C; answers the exit code. */
  interrupt(): Promise<number>
}

const readyWithinMs = 30_000
const graceMs = 20_000

/**
 * A program that starts others, such as `npm start`: all of them are ended together. Resolves once it
 * has written what `ready` matches, and rejects where it ended before.
 */
export async function startProcessGroup(
  words: readonly string[],
  { cwd, env }: Place,
  ready: RegExp,
): Promise<ProcessGroup> {
  const child = Bun.spawn([...words], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const isReady = Promise.withResolvers<string>()
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true })
      const [said] = ready.exec(output) ?? []
      if (said !== undefined) isReady.resolve(said)
    }
  }
  void read(child.stdout)
  void read(child.stderr)
  const fail = (why: string) => isReady.reject(new Error(`${words.join(' ')} ${why}: ${output}`))
  const timer = setTimeout(() => fail('is not ready'), readyWithinMs)
  void child.exited.then((exitCode) => fail(`ended with ${exitCode}`))
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid, name)
    } catch {
      // Nobody of the group is left.
    }
  }
  const end = async (name: NodeJS.Signals): Promise<number> => {
    signal(name)
    const mercy = setTimeout(() => signal('SIGKILL'), graceMs)
    const exitCode = await child.exited
    clearTimeout(mercy)
    return exitCode
  }
  try {
    const said = await isReady.promise
    return {
      said,
      exited: child.exited,
      output: () => output,
      tellFirst: (name) => child.kill(name),
      interrupt: () => end('SIGINT'),
      [Symbol.asyncDispose]: async () => void (await end('SIGTERM')),
    }
  } catch (error) {
    signal('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}
