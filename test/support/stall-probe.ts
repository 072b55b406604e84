/** Asks again and again how long the simplest answers take, from a thread of its own. */
export interface StallProbe extends Disposable {
  /** The longest that any of the URLs took to answer while `action` ran, in milliseconds. */
  during(action: () => Promise<unknown>): Promise<number>
}

/** What the thread is told, and what it answers once it has looked. */
export type ProbeMessage = { readonly kind: 'watch' } | { readonly kind: 'tell' }

export function openStallProbe(urls: readonly string[]): StallProbe {
  const worker = new Worker(new URL('stall-probe-thread.ts', import.meta.url).href)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  worker.postMessage({ kind: 'urls', urls })
  const ask = (message: ProbeMessage): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>()
    worker.addEventListener('message', (event: MessageEvent<number>) => resolve(event.data), {
      once: true,
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    worker.postMessage(message)
    return promise
  }
  return {
    async during(action) {
      await ask({ kind: 'watch' })
      await action()
      return await ask({ kind: 'tell' })
    },
    [Symbol.dispose]: () => worker.terminate(),
  }
}
