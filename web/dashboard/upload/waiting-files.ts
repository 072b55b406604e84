import type { FoundFile } from './collect-files.ts'

type Listener = () => void

/** Files that were dropped where nothing says where they belong; they wait for somebody's word. */
function createWaitingFiles() {
  let files: readonly FoundFile[] = []
  const listeners = new Set<Listener>()
  const change = (next: readonly FoundFile[]) => {
    files = next
    for (const listener of listeners) listener()
  }
  return {
    add: (more: readonly FoundFile[]) => change([...files, ...more]),
    clear: () => change([]),
    all: () => files,
    subscribe: (listener: Listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const waitingFiles = createWaitingFiles()
