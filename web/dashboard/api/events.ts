import { useEffect, useRef } from 'react'

/**
 * Listens to a stream of server events while the page is shown; the browser connects again by itself
 * when the connection is lost. `onEvent` may change without a new connection.
 */
export function useServerEvents(
  address: string | undefined,
  name: string,
  onEvent: (data: unknown) => void,
): void {
  const heard = useRef(onEvent)
  useEffect(() => {
    heard.current = onEvent
  })
  useEffect(() => {
    if (address === undefined) return undefined
    const source = new EventSource(address)
    source.addEventListener(name, (event: MessageEvent<string>) =>
      heard.current(JSON.parse(event.data)),
    )
    return () => source.close()
  }, [address, name])
}
