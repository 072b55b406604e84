/** Whether the assistant is open, for as long as the browser's tab is; and what it is to ask when it opens. */
interface OpenState {
  readonly isOpen: boolean
  /** Counts up each time somebody wants to write. */
  readonly wanted: number
}

const key = 'sedge-ask-open'
const listeners = new Set<() => void>()
let state: OpenState = { isOpen: isKept(), wanted: 0 }

function isKept(): boolean {
  try {
    return sessionStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}

function become(next: OpenState): void {
  state = next
  try {
    sessionStorage.setItem(key, String(next.isOpen))
  } catch {
    // Then it is open until the page is read again.
  }
  for (const listener of listeners) listener()
}

export const openAssistant = (): void => become({ isOpen: true, wanted: state.wanted + 1 })
export const closeAssistant = (): void => become({ ...state, isOpen: false })
export const assistantState = (): OpenState => state

export function subscribeToAssistant(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
