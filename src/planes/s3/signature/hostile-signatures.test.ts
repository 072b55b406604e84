import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createKeyGuesses } from '../../../http/access/key-guesses.ts'
import { trustedProxies } from '../../../http/request/client-address.ts'
import { createLog } from '../../../lib/log.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import type { TokenRecord } from '../../../ports/access/token-store.ts'
import { createS3Cors } from '../cors/s3-cors.ts'
import { createS3Service } from '../s3-service.ts'
import { createS3Authenticate } from './authenticate.ts'
import { createS3Signers } from './signers.ts'

const now = new Date('2026-04-01T12:00:00Z')

/** A service with one operation that takes whatever is sent to it, and what it logged as an error. */
function open() {
  const logged: string[] = []
  const signers = createS3Signers({
    tokens: {
      byId: (id) => (id === 'known' ? ({ id, isForS3: true } as TokenRecord) : undefined),
      use: () => undefined,
    },
    s3Keys: { secretsOf: () => [new Secret('secret')] },
    guesses: createKeyGuesses({ now: () => now }),
  })
  const service = createS3Service({
    zoneExists: () => true,
    ofPreview: async () => [],
    operations: [
      {
        name: 'PutObject',
        method: 'PUT',
        target: 'object',
        scope: 'storage:write',
        async handle({ content }) {
          await new Response(content.stream()).bytes()
          return new Response(null)
        },
      },
    ],
    cors: createS3Cors({ of: async () => [] }),
    authenticate: createS3Authenticate({ signers, now: () => now }),
    trustedProxies: trustedProxies(['127.0.0.1']),
    s3Host: undefined,
    newId: () => 'r1',
    log: createLog({ level: 'error', pretty: false, write: (line) => logged.push(line) }),
  })
  return { service, logged }
}

const credential = fc.oneof(
  fc.constant('known/20260401/eu/s3/aws4_request'),
  fc.stringMatching(/^[a-z0-9/]{0,60}$/u),
)
const printable = fc.stringMatching(/^[\u0020-\u007e\u00a0-\u00ff]{0,200}$/u)
const value = fc.oneof(
  credential,
  printable,
  fc.constantFrom(
    '',
    '/',
    '////',
    'host',
    'host;;x',
    'x'.repeat(4000),
    '0'.repeat(64),
    '\u00e9'.repeat(64),
  ),
)
const authorization = fc.oneof(
  printable,
  fc
    .tuple(
      fc.constantFrom('AWS4-HMAC-SHA256', 'AWS', 'Bearer', 'AWS4-ECDSA-P256-SHA256', ''),
      fc.constantFrom(' ', ',', '  ', ''),
      fc.array(
        fc
          .tuple(fc.constantFrom('Credential', 'SignedHeaders', 'Signature', 'x', ''), value)
          .map((pair) => pair.join('=')),
        { maxLength: 6 },
      ),
      fc.constantFrom(',', ', ', ' ', ';', ',,'),
    )
    .map(([algorithm, space, components, comma]) => algorithm + space + components.join(comma)),
)
const fields = fc.record(
  {
    authorization,
    'x-amz-date': fc.oneof(fc.constantFrom('20260401T120000Z', '20269999T999999Z'), printable),
    date: printable,
    'x-amz-content-sha256': fc.oneof(
      fc.constantFrom('UNSIGNED-PAYLOAD', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER', '__proto__'),
      printable,
    ),
    'x-amz-decoded-content-length': printable,
    'x-amz-trailer': printable,
    'content-md5': printable,
    'x-amz-checksum-crc32': printable,
    'x-amz-sdk-checksum-algorithm': printable,
    'x-forwarded-host': printable,
  },
  { requiredKeys: [] },
)
const query = fc.dictionary(
  fc.constantFrom(
    ...['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'].map(
      (name) => `X-Amz-${name}`,
    ),
    'AWSAccessKeyId',
    'Signature',
    '__proto__',
  ),
  fc.oneof(value, fc.constantFrom('AWS4-HMAC-SHA256', '20260401T120000Z', '60', '1e9', '-1', '٣')),
)

test('whatever stands where a signature is, the response is a refusal in XML', async () => {
  await fc.assert(
    fc.asyncProperty(fields, query, async (headers, parameters) => {
      const { service, logged } = open()
      const url = new URL('http://localhost/s3/acme/a')
      for (const [name, text] of Object.entries(parameters)) url.searchParams.append(name, text)
      const request = new Request(url, { method: 'PUT', headers, body: 'hello' })
      const response = await service.fetch(request, '127.0.0.1')
      const text = await response.text()
      expect([response.status, text, logged]).toSatisfy(
        ([status]) => Number(status) >= 400 && Number(status) < 500,
      )
      expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<Error><Code>\w+<\/Code>/u)
      expect(text.length).toBeLessThan(20_000)
      expect(logged).toEqual([])
    }),
    { numRuns: 500 },
  )
})
