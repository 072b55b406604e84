import { samplerNames } from '../../lib/otlp/sampler.ts'
import { type OtlpTarget, otlpProtocols } from '../../lib/otlp/otlp-target.ts'
import { type Signal, signalNames } from '../../lib/otlp/signal-names.ts'
import type { TelemetryOptions } from '../../lib/otlp/telemetry.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { endpointUrl, filePath, flag, oneOf, optional, setting, wholeNumber } from '../setting.ts'

const endpoint = (name: string, description: string) =>
  setting(name, '', description, optional(endpointUrl))
const headers = (name: string, description: string) =>
  setting(name, '', description, optional(headerList))
const exporter = (name: string, what: string) =>
  setting(name, 'otlp', `\`none\` where no ${what} are to be reported`, oneOf(['otlp', 'none']))

/** What OpenTelemetry's SDKs are told by, as far as it has a meaning here. */
export const telemetrySettings = {
  otlpEndpoint: endpoint(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Where traces, metrics and logs are reported by OTLP over HTTP (`http://127.0.0.1:4318`), below `/v1/`; without it, or one of the next three, nothing is',
  ),
  otlpTracesEndpoint: endpoint(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    'The whole URL that traces go to, where it is another one',
  ),
  otlpMetricsEndpoint: endpoint(
    'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    'The whole URL that metrics go to, where it is another one',
  ),
  otlpLogsEndpoint: endpoint(
    'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT',
    'The whole URL that logs go to, where it is another one',
  ),
  otlpHeaders: headers(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'What each such request carries besides, for who has to know the sender: `name=value` separated by commas, values percent-encoded',
  ),
  otlpTracesHeaders: headers(
    'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
    'The same for traces alone, instead',
  ),
  otlpMetricsHeaders: headers(
    'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
    'The same for metrics alone, instead',
  ),
  otlpLogsHeaders: headers('OTEL_EXPORTER_OTLP_LOGS_HEADERS', 'The same for logs alone, instead'),
  otlpProtocol: setting(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    'http/protobuf',
    'How they are written: `http/protobuf` or `http/json`',
    oneOf(otlpProtocols),
  ),
  otlpCompression: setting(
    'OTEL_EXPORTER_OTLP_COMPRESSION',
    'none',
    '`gzip` to have them compressed',
    oneOf(['none', 'gzip']),
  ),
  otlpTimeoutMs: setting(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    '10000',
    'Milliseconds that the receiver may take for one of them',
    wholeNumber(1, 600_000),
  ),
  otlpAuthorityFile: setting(
    'OTEL_EXPORTER_OTLP_CERTIFICATE',
    '',
    'A PEM file with the authority that signed the receiver’s certificate, where the system does not know it',
    optional(filePath),
  ),
  tracesExporter: exporter('OTEL_TRACES_EXPORTER', 'traces'),
  metricsExporter: exporter('OTEL_METRICS_EXPORTER', 'metrics'),
  logsExporter: exporter('OTEL_LOGS_EXPORTER', 'logs'),
  serviceName: setting(
    'OTEL_SERVICE_NAME',
    '',
    'What it is all reported for; without it `service.name` of the next one, else `sedge`',
    optional(String),
  ),
  resourceAttributes: setting(
    'OTEL_RESOURCE_ATTRIBUTES',
    '',
    'What else tells this service from others: `name=value` separated by commas, values percent-encoded',
    pairs,
  ),
  tracesSampler: setting(
    'OTEL_TRACES_SAMPLER',
    'parentbased_always_on',
    `Which requests have a trace: ${samplerNames.map((name) => `\`${name}\``).join(', ')}`,
    oneOf(samplerNames),
  ),
  tracesSamplerRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '1',
    'For samplers with a ratio, the share of traces that is kept, from 0 to 1',
    share,
  ),
  metricIntervalMs: setting(
    'OTEL_METRIC_EXPORT_INTERVAL',
    '60000',
    'Milliseconds from one report of metrics to the next',
    wholeNumber(100, 86_400_000),
  ),
  telemetryIsDisabled: flag('OTEL_SDK_DISABLED', 'Report nothing, whatever the others say'),
} as const

type Value<S> = S extends { parse: (text: string) => infer T } ? T : never
type TelemetrySettings = {
  readonly [Name in keyof typeof telemetrySettings]: Value<(typeof telemetrySettings)[Name]>
}

/** `undefined` where nothing is to be reported. */
export function telemetryOf(read: TelemetrySettings): TelemetryOptions | undefined {
  if (read.telemetryIsDisabled) return undefined
  const targets = Object.fromEntries(
    signalNames.flatMap((signal) => {
      const target = targetOf(signal, read)
      return target === undefined ? [] : [[signal, target] as const]
    }),
  )
  if (Object.keys(targets).length === 0) return undefined
  const { serviceName, resourceAttributes } = read
  return {
    targets,
    resource: {
      'service.name': 'sedge',
      ...resourceAttributes,
      ...(serviceName === undefined ? {} : { 'service.name': serviceName }),
    },
    sampling: { name: read.tracesSampler, ratio: read.tracesSamplerRatio },
    metricsEveryMs: read.metricIntervalMs,
  }
}

function targetOf(signal: Signal, read: TelemetrySettings): OtlpTarget | undefined {
  const { otlpEndpoint, otlpAuthorityFile } = read
  const own = {
    traces: [read.tracesExporter, read.otlpTracesEndpoint, read.otlpTracesHeaders],
    metrics: [read.metricsExporter, read.otlpMetricsEndpoint, read.otlpMetricsHeaders],
    logs: [read.logsExporter, read.otlpLogsEndpoint, read.otlpLogsHeaders],
  } as const
  const [chosen, ownUrl, ownHeaders] = own[signal]
  const url = ownUrl ?? (otlpEndpoint && `${otlpEndpoint}/v1/${signal}`)
  if (chosen === 'none' || url === undefined) return undefined
  return {
    url,
    headers: pairs((ownHeaders ?? read.otlpHeaders)?.reveal() ?? ''),
    protocol: read.otlpProtocol,
    isCompressed: read.otlpCompression === 'gzip',
    timeoutMs: read.otlpTimeoutMs,
    ...(otlpAuthorityFile === undefined ? {} : { authorityFile: otlpAuthorityFile }),
  }
}

/** As W3C Baggage has them, without properties. */
function pairs(text: string): Readonly<Record<string, string>> {
  const given = text.split(',').map((item) => item.trim())
  return Object.fromEntries(
    given
      .filter((item) => item !== '')
      .map((item) => {
        const [, name, value] = /^([^\s=]{1,200})\s*=(.*)$/u.exec(item) ?? []
        if (name === undefined || value === undefined) throw new Error(noPairs)
        return [name, decoded(value.trim())]
      }),
  )
}

const noPairs = 'must be items such as deployment.environment.name=production, separated by commas'

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    throw new Error(noPairs, { cause: error })
  }
}

function headerList(text: string): Secret {
  for (const [name, value] of Object.entries(pairs(text)))
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/u.test(name) || !/^[\u0020-\u007e]*$/u.test(value))
      throw new Error(
        'must be names and values of header fields, as name=value separated by commas',
      )
  return new Secret(text)
}

function share(text: string): number {
  const value = Number(text)
  if (!/^\d(?:\.\d{1,12})?$/u.test(text) || value > 1)
    throw new Error('must be a number from 0 to 1')
  return value
}
