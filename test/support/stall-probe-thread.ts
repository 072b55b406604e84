import type { ProbeMessage } from './stall-probe.ts'

type Message = ProbeMessage | { readonly kind: 'urls'; readonly urls: readonly string[] }

/** So often each URL is asked. */
const everyMs = 4

let longestMs = 0
/** When each request that is under way began: one that never ends has taken that long too. */
const startedAtMs = new Map<string, number>()

async function watch(url: string): Promise<void> {
  for (;;) {
    const start = performance.now()
    startedAtMs.set(url, start)
    await fetch(url)
      .then((response) => response.bytes())
      .catch(() => undefined)
    longestMs = Math.max(longestMs, performance.now() - startedAtMs.get(url)!)
    await Bun.sleep(everyMs)
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'urls') {
    for (const url of data.urls) void watch(url)
    return
  }
  const now = performance.now()
  for (const [url, start] of startedAtMs) {
    longestMs = Math.max(longestMs, now - start)
    // What is under way was asked before.
    if (data.kind === 'watch') startedAtMs.set(url, now)
  }
  const answer = longestMs
  if (data.kind === 'watch') longestMs = 0
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  self.postMessage(answer)
})
