/** What one process reported, of one kind. */
export interface Report {
  readonly signal: string
  readonly role: string
  readonly instance: string
  /** Spans, metrics or records of the log, as OTLP's JSON has them. */
  readonly items: readonly { readonly name?: string; readonly body?: { stringValue: string } }[]
}

interface KeyValue {
  readonly key: string
  readonly value: { readonly stringValue?: string }
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string
  readonly reports: readonly Report[]
  /** All that came, as it came. */
  readonly text: string
}

/** A receiver of OTLP in JSON that keeps what it is sent, and says nothing at all where it `hangs`. */
export function startOtlpReceiver({ hangs = false } = {}): OtlpReceiver {
  const reports: Report[] = []
  let text = ''
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.text()
      text += body
      const signal = new URL(request.url).pathname.replace('/v1/', '')
      reports.push(...reportsIn(signal, JSON.parse(body) as object))
      return hangs ? await new Promise<Response>(() => undefined) : new Response()
    },
  })
  return {
    url: server.url.origin,
    reports,
    get text() {
      return text
    },
    [Symbol.asyncDispose]: async () => await server.stop(true),
  }
}

function reportsIn(signal: string, message: object): readonly Report[] {
  const resources = Object.values(message).flat() as {
    resource: { attributes: readonly KeyValue[] }
  }[]
  return resources.flatMap(({ resource, ...scopes }) => {
    const attribute = (name: string): string =>
      resource.attributes.find(({ key }) => key === name)?.value.stringValue ?? ''
    const lists = Object.values(scopes).flat() as { scope: unknown }[]
    return lists.map(({ scope: _scope, ...items }) => ({
      signal,
      role: attribute('sedge.role'),
      instance: attribute('service.instance.id'),
      items: Object.values(items).flat() as Report['items'],
    }))
  })
}
