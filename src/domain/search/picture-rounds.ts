interface Dependencies {
  /** Answers those of the paths whose pictures have not been looked at yet. */
  readonly describe: (paths: readonly string[]) => Promise<readonly string[]>
  readonly onFault: (error: unknown) => void
  readonly signal: AbortSignal
  readonly everyMs?: number
}

/** Pictures are looked at after they are published; most within seconds. */
const usualMs = 5_000
const maxTries = 12
/** Of what is beyond this, the colours are known after the next start. */
const maxWaiting = 10_000

/** Asks again, for a minute, for what is not known of pictures yet. */
export function createPictureRounds(dependencies: Dependencies) {
  const { describe, onFault, signal, everyMs = usualMs } = dependencies
  const triesByPath = new Map<string, number>()
  let timer: Timer | undefined

  function add(paths: readonly string[]): void {
    for (const path of paths) {
      const tries = triesByPath.get(path) ?? 0
      if (tries >= maxTries) triesByPath.delete(path)
      else if (tries > 0 || triesByPath.size < maxWaiting) triesByPath.set(path, tries + 1)
    }
    if (triesByPath.size === 0 || timer !== undefined || signal.aborted) return
    timer = setTimeout(() => void round().catch(onFault), everyMs)
    timer.unref()
  }

  async function round(): Promise<void> {
    timer = undefined
    const asked = [...triesByPath.keys()]
    const unknown = await describe(asked)
    for (const path of new Set(asked).difference(new Set(unknown))) triesByPath.delete(path)
    add(unknown)
  }

  signal.addEventListener('abort', () => clearTimeout(timer))
  return { add }
}
