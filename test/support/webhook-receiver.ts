import { Webhook } from 'standardwebhooks'

export interface Received {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface WebhookReceiver extends Disposable {
  readonly url: string
  readonly received: readonly Received[]
  /** What is answered from now on. */
  respond: (message: Received) => Response | Promise<Response>
  /** Resolves once so many messages were received; rejects after `withinMs`. */
  until(count: number, withinMs?: number): Promise<void>
}

/** Takes webhooks, keeps what came, and answers as it is told. */
export function openWebhookReceiver(): WebhookReceiver {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const receiver = { respond: () => new Response(null, { status: 204 }) } as {
    respond: WebhookReceiver['respond']
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text()
      const { event, data } = JSON.parse(body) as Pick<Received, 'event' | 'data'>
      const headers = Object.fromEntries(request.headers)
      const message = { id: headers['webhook-id'] ?? '', event, data, body, headers }
      received.push(message)
      for (const look of waiting) look()
      return await receiver.respond(message)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    received,
    get respond() {
      return receiver.respond
    },
    set respond(respond) {
      receiver.respond = respond
    },
    async until(count, withinMs = 10_000) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => {
        if (received.length >= count) resolve()
      }
      const timer = setTimeout(
        () => reject(new Error(`${received.length} of ${count} messages came in time`)),
        withinMs,
      )
      waiting.add(look)
      look()
      await promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(look)
      })
    },
    [Symbol.dispose]: () => void server.stop(true),
  }
}

/** As the reference library sees it. Throws where the signature is not good. */
export const verify = ({ body, headers }: Received, secret: string, format?: 'raw'): unknown =>
  new Webhook(secret, format && { format }).verify(body, { ...headers })
