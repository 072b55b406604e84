/**
 * A program that ends with the test that started it: the shell in between waits for its input to end,
 * which it does even where the test is killed.
 */
export function startProgram(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): AsyncDisposable {
  const script = '"$@" & child=$!; cat >/dev/null; kill "$child"; wait "$child" 2>/dev/null'
  const child = Bun.spawn(['sh', '-c', script, 'sh', ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return {
    async [Symbol.asyncDispose]() {
      await child.stdin.end()
      await child.exited
    },
  }
}

const readyWithinMs = 15_000

/** Resolves once `ask` does not reject any more. */
export async function untilResponding(ask: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await Bun.sleep(50)
  }
}
