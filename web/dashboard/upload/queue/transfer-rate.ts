/** Long enough to be calm, short enough to follow a connection that changes. */
const windowMs = 10_000
/** From less nothing can be told. */
const minMs = 1_000

/** How fast bytes go out, from those of the last seconds. */
export function createTransferRate(now: () => number) {
  let samples: { readonly at: number; readonly bytes: number }[] = []
  return {
    sent(bytes: number): void {
      const at = now()
      samples = samples.filter((sample) => at - sample.at < windowMs)
      samples.push({ at, bytes })
    },
    /** `undefined` while there is too little to tell from. */
    bytesPerSecond(): number | undefined {
      const at = now()
      const recent = samples.filter((sample) => at - sample.at < windowMs)
      const [first] = recent
      if (first === undefined || at - first.at < minMs) return undefined
      // What the first sample brought was sent before it.
      const bytes = recent.slice(1).reduce((sum, sample) => sum + sample.bytes, 0)
      return bytes === 0 ? undefined : (bytes * 1_000) / (at - first.at)
    },
  }
}
