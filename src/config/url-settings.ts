import { baseUrl, dnsName, hostName, networkName, optional, origins, setting } from './setting.ts'

/** By which names the service is reached, and what each is for. */
export const urlSettings = {
  baseUrl: setting(
    'BASE_URL',
    '',
    'The public URL of the service. Then no other host name is answered but domains of zones and the machine itself (`localhost`); without it, every name is, and URLs are those each request was sent to',
    optional(baseUrl),
  ),
  dashboardHost: setting(
    'DASHBOARD_HOST',
    '',
    'A host name of its own for the dashboard and for signing in, with the scheme and port of `BASE_URL`: nothing that zones store is delivered there, and sessions count there alone. Recommended where others than operators store files',
    optional(dnsName),
  ),
  s3Host: setting(
    'S3_HOST',
    '',
    'A host name of its own for clients of S3, and for zones below it (`acme.s3.example.org`); they are served below `/s3/` of the other names as well',
    optional(networkName),
  ),
  previewHost: setting(
    'PREVIEW_HOST',
    '',
    'A host name below which each preview has one of its own, `<preview>--<zone>.<PREVIEW_HOST>`, with the scheme and port of `BASE_URL`: its DNS and its certificate are those of all names below it (`*.previews.example.org`). Best one that shares its registered domain with nothing else',
    optional(networkName),
  ),
  cnameTarget: setting(
    'CNAME_TARGET',
    '',
    'The host name that CNAME records of custom domains must point to',
    optional(hostName),
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    '',
    'Origins, separated by commas, whose pages may call the interface with a key or a token (`https://app.example.org`); never with the session. What needs no key is open to all',
    origins,
  ),
} as const

/** One sentence a fault. */
export function urlFaults(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const given = (name: string) => environment[name]?.trim() ?? ''
  const dashboardHost = given('DASHBOARD_HOST').toLowerCase()
  return [
    ...dashboardFaults(dashboardHost, given('BASE_URL')),
    ...previewFaults(given('PREVIEW_HOST').toLowerCase(), [
      ['BASE_URL', URL.parse(given('BASE_URL'))?.hostname ?? ''],
      ['DASHBOARD_HOST', dashboardHost],
      ['S3_HOST', given('S3_HOST').toLowerCase()],
    ]),
  ]
}

/** What is below it is nobody else's. */
const previewFaults = (
  previewHost: string,
  others: readonly (readonly [name: string, hostname: string])[],
): readonly string[] =>
  previewHost === ''
    ? []
    : others.flatMap(([name, hostname]) =>
        hostname.endsWith(`.${previewHost}`) ? [`PREVIEW_HOST must not be above ${name}`] : [],
      )

function dashboardFaults(dashboardHost: string, base: string): readonly string[] {
  if (dashboardHost === '') return []
  if (base === '') return ['BASE_URL must be set where DASHBOARD_HOST is']
  return URL.parse(base)?.hostname === dashboardHost
    ? ['DASHBOARD_HOST must be another host name than that of BASE_URL']
    : []
}

interface Addresses {
  readonly baseUrl: string | undefined
  readonly dashboardHost?: string | undefined
}

/** Where the dashboard is; `undefined` where any URL that leads here may be it. */
export function dashboardUrlOf({ baseUrl: base, dashboardHost }: Addresses): string | undefined {
  if (base === undefined || dashboardHost === undefined) return base
  const url = new URL(base)
  url.hostname = dashboardHost
  return url.origin
}
