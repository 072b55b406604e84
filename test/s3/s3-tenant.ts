import { createHash } from 'node:crypto'

import { openLocalService } from '../support/local-service.ts'
import { openS3Client } from '../support/s3-client.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'

export type S3Tenant = Awaited<ReturnType<typeof openS3Tenant>>

/** A real service behind a socket with two zones, `acme` and `other`, and a key of S3 for both. */
export async function openS3Tenant() {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const service = opening.use(await openLocalService({ dataDirectory: directory.path }))
  const createZone = (name: string) =>
    fetch(`${service.url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name: name }),
    })
  await createZone('acme')
  await createZone('other')
  const s3 = await openS3Client(service)
  const metadataUrl = (path: string) =>
    `${service.url}/api/assets/metadata?path=${encodeURIComponent(path)}`
  const opened = opening.move()
  return {
    service,
    s3,
    createZone,
    deleteZone: (name: string) =>
      fetch(`${service.url}/api/core/zones/${name}`, { method: 'DELETE', headers: account }),
    anonymously: (path: string, init?: RequestInit) => fetch(`${service.url}/s3/${path}`, init),
    describe: (path: string, said: Readonly<Record<string, unknown>>) =>
      fetch(metadataUrl(path), { method: 'PATCH', headers: access, body: JSON.stringify(said) }),
    known: async (path: string) =>
      (await (await fetch(metadataUrl(path), { headers: access })).json()) as unknown,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export const md5 = (body: string) => createHash('md5').update(body).digest('hex')

/** e.g. `404 NoSuchKey`. */
export async function refusal(response: Response | Promise<Response>): Promise<string> {
  const { status } = await response
  const text = await (await response).text()
  return `${status} ${/<Code>(\w+)<\/Code>/u.exec(text)?.[1] ?? ''}`
}
