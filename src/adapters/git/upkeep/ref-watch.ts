import { type FSWatcher, watch } from 'node:fs'

/** In case the file system tells of no changes, or the branch is in `packed-refs`. */
const pollMilliseconds = 1000

/** Of a file that stands for the branch while it is moved; no branch has such a name (git-check-ref-format(1)). */
const lockSuffix = '.lock'

/** Calls `onChange` soon after anything in `directory` changes, and now and then without reason. */
export class RefWatch implements Disposable {
  readonly #watcher: FSWatcher | undefined
  readonly #timer: ReturnType<typeof setInterval>

  constructor(directory: string, onChange: () => void) {
    this.#watcher = tryWatch(directory, onChange)
    this.#timer = setInterval(onChange, pollMilliseconds)
    this.#timer.unref()
  }

  [Symbol.dispose](): void {
    this.#watcher?.close()
    clearInterval(this.#timer)
  }
}

function tryWatch(directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, (_, name) => {
      if (!name?.endsWith(lockSuffix)) onChange()
    })
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    // No watches left on this machine, or none on this file system: the timer does it alone.
    return undefined
  }
}
