import { useEffect, useRef } from 'react'

type OnEvent = (data: unknown) => void

interface Listening {
  readonly onEvent: OnEvent
  /** Told of each connection: what happened before it was not heard. */
  readonly onOpen?: () => void
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
    const source = new EventSource(url)
    source.addEventListener(name, (event: MessageEvent<string>) =>
      heard.current.onEvent(JSON.parse(event.data)),
    )
    source.addEventListener('open', () => heard.current.onOpen?.())
    return () => source.close()
  }, [url, name])
}
