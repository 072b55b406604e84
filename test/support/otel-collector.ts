import { join } from 'node:path'

import { startProgram, untilResponding } from './child-program.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './service-process.ts'

export interface OtelCollector extends AsyncDisposable {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` is to be. */
  readonly url: string
  /** All that it took until now and what it says of itself, as its exporter for debugging prints it. */
  printed(): Promise<string>
}

/** A collector of OpenTelemetry (`tools/clients/otel-collector`) that takes OTLP over HTTP and prints all of it. */
export async function startOtelCollector(): Promise<OtelCollector> {
  await using undo = new AsyncDisposableStack()
  const directory = undo.use(await temporaryDirectory())
  const settings = join(directory.path, 'collector.json')
  const output = join(directory.path, 'output')
  const port = await freePort()
  await Bun.write(settings, JSON.stringify(settingsFor(port)))
  const command = 'exec otel-collector --config "file:$0" >"$1" 2>&1'
  undo.use(startProgram(['sh', '-c', command, settings, output]))
  const url = `http://127.0.0.1:${port}`
  await untilResponding(() => fetch(url))
  const opened = undo.move()
  return {
    url,
    printed: () => Bun.file(output).text(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function settingsFor(port: number): object {
  const pipeline = { receivers: ['otlp'], exporters: ['debug'] }
  return {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    // Not thinned out, as it would be by itself.
    exporters: { debug: { verbosity: 'detailed', sampling_initial: 1e6 } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: pipeline, metrics: pipeline, logs: pipeline },
    },
  }
}
