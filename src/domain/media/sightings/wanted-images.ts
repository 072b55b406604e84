import type { AssetRecord } from '../../../ports/records/asset.ts'

/** Images of previews that somebody waits for: what is live is looked at without being wanted. */
export interface WantedImages extends AsyncDisposable {
  /** Has it looked at after those that were wanted before. Of too many some are left out. */
  add(image: AssetRecord): void
  /** Resolves once nothing is wanted any more. */
  settled(): Promise<void>
}

interface Dependencies {
  readonly look: (image: AssetRecord, signal: AbortSignal) => Promise<void>
  readonly onFault: (error: unknown) => void
  readonly maxWaiting?: number
}

export function createWantedImages({
  look,
  onFault,
  maxWaiting = 10_000,
}: Dependencies): WantedImages {
  const waiting = new Map<string, AssetRecord>()
  const stopping = new AbortController()
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    for (const [path, image] of waiting) {
      if (stopping.signal.aborted) return
      // Who still wants one that failed says so when they try again.
      await look(image, stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) onFault(error)
      })
      waiting.delete(path)
    }
  }

  const settled = async (): Promise<void> => await working

  return {
    add(image) {
      if (waiting.size >= maxWaiting || stopping.signal.aborted) return
      waiting.set(image.path, image)
      working ??= work().finally(() => {
        working = undefined
      })
    },
    settled,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await settled()
    },
  }
}
