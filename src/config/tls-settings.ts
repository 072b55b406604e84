import { filePath, hostCertificates, oneOf, optional, setting, wholeNumber } from './setting.ts'

/** Which processes listen, and with what. */
export const tlsSettings = {
  hotLine: setting(
    'HOT_LINE',
    'on',
    'Whether what is at hand is answered on plain HTTP/1.1 without the full server, for half of the processor time: `on` or `off`',
    (text) => oneOf(['on', 'off'])(text) === 'on',
  ),
  edgeWorkers: setting(
    'EDGE_WORKERS',
    '0',
    'Worker processes that deliver assets beside the main one',
    wholeNumber(0, 256),
  ),
  tlsCertificateFile: setting(
    'TLS_CERT_FILE',
    '',
    'A PEM file with the certificate and its chain: listen with TLS, HTTP/2 and HTTP/1.1. Read again on `SIGHUP`',
    optional(filePath),
  ),
  tlsKeyFile: setting('TLS_KEY_FILE', '', 'A PEM file with its private key', optional(filePath)),
  tlsCertificates: setting(
    'TLS_CERTIFICATES',
    '',
    'Certificates for single host names beside that one, `host=certificate file:key file`, separated by commas; `*.` stands for one label',
    hostCertificates,
  ),
  httpPort: setting(
    'HTTP_PORT',
    '',
    'With TLS, a port for plain HTTP beside it: challenges of the ACME server come there, and domains that say so are redirected to https; 0 takes any free port',
    optional(wholeNumber(0, 65_535)),
  ),
  hstsMaxAgeSeconds: setting(
    'HSTS_MAX_AGE',
    '',
    'With TLS, tell browsers for so many seconds to come by https alone (Strict-Transport-Security)',
    optional(wholeNumber(0, 10 ** 9)),
  ),
} as const

/** One sentence a fault. */
export function tlsFaults(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const isSet = (name: string) => (environment[name]?.trim() ?? '') !== ''
  const [hasCertificate, hasKey] = [isSet('TLS_CERT_FILE'), isSet('TLS_KEY_FILE')]
  if (hasCertificate && hasKey) return []
  if (hasCertificate) return ['TLS_KEY_FILE must be set where TLS_CERT_FILE is']
  if (hasKey) return ['TLS_CERT_FILE must be set where TLS_KEY_FILE is']
  const needy = ['TLS_CERTIFICATES', 'HTTP3', 'HTTP_PORT', 'HSTS_MAX_AGE', 'ACME_DIRECTORY'].filter(
    (name) => isSet(name),
  )
  return needy
    .filter((name) => environment[name]?.trim() !== 'false')
    .map((name) => `${name} must be set together with TLS_CERT_FILE and TLS_KEY_FILE`)
}
