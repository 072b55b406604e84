import { useEffect, useRef } from 'react'

interface Listening {
  readonly onEvent: (data: unknown) => void
  /** Told of each connection: what happened before it was not heard. */
  readonly onOpen?: () => void
}

/**
 * Listens to a stream of server events while the page is shown; the browser connects again by itself
 * when the connection is lost. What listens may change without a new connection.
 */
export function useServerEvents(
  address: string | undefined,
  name: string,
  listening: Listening,
): void {
  const heard = useRef(listening)
  useEffect(() => {
    heard.current = listening
  })
  useEffect(() => {
    if (address === undefined) return undefined
    const source = new EventSource(address)
    source.addEventListener(name, (event: MessageEvent<string>) =>
      heard.current.onEvent(JSON.parse(event.data)),
    )
    source.addEventListener('open', () => heard.current.onOpen?.())
    return () => source.close()
  }, [address, name])
}
