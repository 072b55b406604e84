import { expect, test } from 'bun:test'

import { checkRules } from '../check-rules.ts'
import { explainRules } from '../explain-rules.ts'

const reasons = (content: string) =>
  checkRules('_headers', content).warnings.map(({ line, reason }) => `${line} ${reason}`)

test.each([
  ['! Content-Security-Policy', 'content-security-policy is not taken away there'],
  ["Content-Security-Policy: default-src 'self'", 'content-security-policy is only added to there'],
  ['! X-Content-Type-Options', 'x-content-type-options is not taken away there'],
  ['Service-Worker-Allowed: /', 'service-worker-allowed is not sent there'],
  ['Clear-Site-Data: "*"', 'clear-site-data is not sent there'],
  ['Strict-Transport-Security: max-age=1', 'strict-transport-security is not sent there'],
  ['Set-Cookie: cdn_session=x', 'set-cookie is not sent there'],
  ['Set-Cookie: =cdn_session=x', 'set-cookie is not sent there'],
])('whoever writes "%s" for every host is told what does not count', (line, what) => {
  expect(reasons(`/*\n ${line}`)).toEqual([
    `1 is for the host names of the service's own too, where the dashboard may be: ${what}, only on host names of zones`,
  ])
  expect(reasons(`https://img.acme.example/*\n ${line}`)).toEqual([])
})

test('whoever names a host of the service’s own is told, too', () => {
  const content = 'https://cdn.example/*\n Clear-Site-Data: "*"'
  const { warnings } = checkRules('_headers', content, {
    isOwnHost: (hostname) => hostname === 'cdn.example',
  })
  expect(warnings.map(({ reason }) => reason)).toEqual([
    "is for a host name of the service's own, where the dashboard may be: clear-site-data is not sent there, only on host names of zones",
  ])
})

test('what counts everywhere is not warned of', () => {
  expect(reasons('/*\n Set-Cookie: shown=1\n X-Frame-Options: DENY\n ! Set-Cookie')).toEqual([])
})

test('an explanation leaves out what is not sent, by the host that is asked about', () => {
  const files = { headers: '/acme/*\n X: 1\n Service-Worker-Allowed: /', redirects: undefined }
  const after = (url: string, zone?: string) =>
    explainRules(files, url, { ...(zone !== undefined && { zone }) })?.fieldsAfter
  expect(after('https://cdn.example/acme/v1/a')).toEqual([['x', '1']])
  expect(after('https://cdn.example/@1234567/acme/v1/a')).toEqual([['x', '1']])
  expect(after('https://img.acme.example/v1/a', 'acme')).toEqual([
    ['x', '1'],
    ['service-worker-allowed', '/'],
  ])
})
