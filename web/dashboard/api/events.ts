import { useEffect, useRef } from 'react'

type OnEvent = (data: unknown) => void

interface Listening {
  readonly onEvent: OnEvent
  /** Told of each connection: what happened before it was not heard. */
  readonly onOpen?: () => void
}

/** Browsers open six connections to a host, and a stream holds one: who listens to the same shares it. */
const sources = new Map<string, { readonly source: EventSource; listeners: number }>()

function join(url: string): EventSource {
  const shared = sources.get(url) ?? { source: new EventSource(url), listeners: 0 }
  shared.listeners += 1
  sources.set(url, shared)
  return shared.source
}

function leave(url: string): void {
  const shared = sources.get(url)
  if (shared === undefined) return
  shared.listeners -= 1
  if (shared.listeners > 0) return
  shared.source.close()
  sources.delete(url)
}

/**
 * Listens to a stream of server events while the page is shown; the browser connects again by itself
 * when the connection is lost. What listens may change without a new connection.
 */
export function useServerEvents(
  url: string | undefined,
  name: string,
  listener: OnEvent | Listening,
): void {
  const listening: Listening = typeof listener === 'function' ? { onEvent: listener } : listener
  const heard = useRef(listening)
  useEffect(() => {
    heard.current = listening
  })
  useEffect(() => {
    if (url === undefined) return undefined
    const source = join(url)
    const gone = new AbortController()
    const { signal } = gone
    const opened = () => heard.current.onOpen?.()
    const told = (event: MessageEvent<string>) => heard.current.onEvent(JSON.parse(event.data))
    source.addEventListener(name, told, { signal })
    source.addEventListener('open', opened, { signal })
    if (source.readyState === source.OPEN) opened()
    return () => {
      gone.abort()
      leave(url)
    }
  }, [url, name])
}
