/** What was chosen before; nothing where the browser keeps nothing. */
export function keptChoice(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

export function keepChoice(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // It holds for this page then.
  }
}
