import type { ProbeMessage } from './stall-probe.ts'

type Message = ProbeMessage | { readonly kind: 'addresses'; readonly addresses: readonly string[] }

/** So often each address is asked. */
const everyMs = 4

let longestMs = 0
/** When each request that is under way began: one that never ends has taken that long too. */
const startedAtMs = new Map<string, number>()

async function watch(address: string): Promise<void> {
  for (;;) {
    const start = performance.now()
    startedAtMs.set(address, start)
    await fetch(address)
      .then((response) => response.bytes())
      .catch(() => undefined)
    longestMs = Math.max(longestMs, performance.now() - startedAtMs.get(address)!)
    await Bun.sleep(everyMs)
  }
}

self.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if (data.kind === 'addresses') {
    for (const address of data.addresses) void watch(address)
    return
  }
  const now = performance.now()
  for (const [address, start] of startedAtMs) {
    longestMs = Math.max(longestMs, now - start)
    // What is under way was asked before.
    if (data.kind === 'watch') startedAtMs.set(address, now)
  }
  const answer = longestMs
  if (data.kind === 'watch') longestMs = 0
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  self.postMessage(answer)
})
