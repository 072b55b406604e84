import { readFile } from 'node:fs/promises'
import { expect, test } from 'bun:test'

import { makeCertificate, openssl } from '../../../test/support/certificates.ts'
import { have } from '../../../test/support/needs.ts'
import { temporaryDirectory } from '../../../test/support/service-process.ts'
import { AuthorityError } from '../../ports/domains/certificate-authority.ts'
import { MemoryCertificateStore } from '../memory/domains/memory-certificate-store.ts'
import { AcmeAuthority } from './acme-authority.ts'

const canRun = have('an ACME server with faults', openssl)

/** A server whose every answer is the same. */
async function openServer(answer: () => Response) {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const { certificateFile, keyFile } = makeCertificate(directory.path, 'own', 'localhost')
  const [cert, key] = await Promise.all([
    readFile(certificateFile, 'utf8'),
    readFile(keyFile, 'utf8'),
  ])
  const server = Bun.serve({ port: 0, tls: { cert, key }, fetch: answer })
  opening.defer(() => server.stop(true))
  const opened = opening.move()
  const open = (trusted: string | undefined) =>
    opened.use(
      new AcmeAuthority({
        directoryUrl: `https://localhost:${server.port}/dir`,
        email: undefined,
        trusted,
        keys: new MemoryCertificateStore(),
        now: () => new Date('2026-01-01T00:00:00Z'),
      }),
    )
  return { open, cert, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function faultOf(authority: AcmeAuthority): Promise<AuthorityError> {
  const order = {
    hostname: 'a.example',
    replaces: undefined,
    publish: () => ({ [Symbol.dispose]: () => undefined }),
  }
  const error: unknown = await authority.issue(order).catch((thrown: unknown) => thrown)
  if (error instanceof AuthorityError) return error
  throw new Error(`not a fault of the authority: ${String(error)}`)
}

test.skipIf(!canRun)(
  'a rate limit is passed on with its time, and nothing is tried again',
  async () => {
    let requests = 0
    await using server = await openServer(() => {
      requests += 1
      const problem = { type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many orders' }
      return Response.json(problem, { status: 429, headers: { 'Retry-After': '120' } })
    })
    const fault = await faultOf(server.open(server.cert))

    expect(fault).toMatchObject({ fault: 'rate-limited', retryAfterMs: 120_000 })
    expect(fault.message).toContain('too many orders')
    expect(requests).toBe(1)
  },
)

test.skipIf(!canRun)(
  'a server that is not trusted, or talks nonsense, is unavailable',
  async () => {
    await using server = await openServer(() => new Response('<html>hello</html>'))

    expect((await faultOf(server.open(undefined))).fault).toBe('unavailable')
    expect((await faultOf(server.open(server.cert))).fault).toBe('unavailable')
  },
)

test.skipIf(!canRun)('each authority trusts and ends for itself', async () => {
  const problem = { type: 'urn:ietf:params:acme:error:serverInternal', detail: 'its own fault' }
  const answer = () => Response.json(problem, { status: 500 })
  await using one = await openServer(answer)
  await using other = await openServer(answer)
  const ofOne = one.open(one.cert)
  const ofOther = other.open(other.cert)
  // Only an authority whose certificate is trusted can be heard to say this.
  const said = /has a fault: its own fault/u

  expect((await faultOf(ofOne)).message).toMatch(said)
  expect((await faultOf(ofOther)).message).toMatch(said)
  ofOther[Symbol.dispose]()
  expect((await faultOf(ofOne)).message).toMatch(said)
  expect((await faultOf(ofOther)).message).toMatch(/the service ends/u)
})
