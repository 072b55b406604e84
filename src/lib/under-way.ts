/** Knows by name what is being done, for whoever finds that it took long. */
export interface UnderWay {
  /** It is, until it is disposed. */
  begin(name: string): Disposable
  /** All that was at any time since this was last asked. */
  take(): readonly string[]
}

/** So many names are kept where nobody asks. */
const maxNames = 64

export function createUnderWay(): UnderWay {
  const countByName = new Map<string, number>()
  const seen = new Set<string>()
  return {
    begin(name) {
      countByName.set(name, (countByName.get(name) ?? 0) + 1)
      if (seen.size < maxNames) seen.add(name)
      let isOver = false
      return {
        [Symbol.dispose]() {
          if (isOver) return
          isOver = true
          const count = (countByName.get(name) ?? 1) - 1
          if (count === 0) countByName.delete(name)
          else countByName.set(name, count)
        },
      }
    },
    take() {
      const names = [...new Set([...seen, ...countByName.keys()])].toSorted()
      seen.clear()
      return names
    },
  }
}
