import { createHash } from 'node:crypto'

/** A file as a listing of the running service shows it. */
export interface RemoteFile {
  readonly name: string
  readonly sha256: string
}

export interface BatchFile {
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The few calls the commands make to a running service. */
export interface ServiceClient {
  /** `undefined` where the zone does not exist. */
  listFiles(directory: string): Promise<readonly RemoteFile[] | undefined>
  createZone(name: string): Promise<void>
  putFile(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  putFiles(files: readonly BatchFile[]): Promise<void>
}

interface Options {
  readonly url: string
  readonly accessKey: string
  /** Only for making a zone. */
  readonly accountKey: string | undefined
}

/** The service refused, or is not there. The message is for the person at the terminal. */
export class ServiceCallError extends Error {
  override readonly name = 'ServiceCallError'
}

export function createServiceClient({ url, accessKey, accountKey }: Options): ServiceClient {
  const base = url.replace(/\/+$/u, '')
  const storage = (path: string) =>
    `${base}/api/storage/clients/${path.split('/').map(encodeURIComponent).join('/')}`

  async function call(address: string, init: RequestInit): Promise<Response> {
    const response = await fetch(address, init).catch((cause: unknown) => {
      throw new ServiceCallError(`No service answers at ${base}. Is it running (npm start)?`, {
        cause,
      })
    })
    if (response.ok || response.status === 404) return response
    throw new ServiceCallError(`${init.method ?? 'GET'} ${address}: ${await reasonOf(response)}`)
  }

  return {
    async listFiles(directory) {
      const response = await call(`${storage(directory)}/`, { headers: { AccessKey: accessKey } })
      if (response.status === 404) return undefined
      return filesOf(await response.json())
    },
    async createZone(name) {
      if (accountKey === undefined)
        throw new ServiceCallError(`Zone "${name}" does not exist; making it needs ACCOUNT_KEY`)
      await call(`${base}/api/core/zones`, {
        method: 'POST',
        headers: { AccountKey: accountKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ Name: name }),
      })
    },
    async putFile(path, bytes) {
      const response = await call(storage(path), {
        method: 'PUT',
        headers: { AccessKey: accessKey, Checksum: sha256(bytes) },
        body: bytes,
      })
      if (!response.ok) throw new ServiceCallError(`PUT ${path}: ${await reasonOf(response)}`)
    },
    async putFiles(files) {
      const response = await call(`${base}/api/storage/batch`, {
        method: 'POST',
        headers: { AccessKey: accessKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          files: files.map(({ path, bytes }) => ({ path, content: bytes.toBase64() })),
        }),
      })
      if (!response.ok) throw new ServiceCallError(`POST batch: ${await reasonOf(response)}`)
    },
  }
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const message =
    isRecord(body) && typeof body['Message'] === 'string' ? `: ${body['Message']}` : ''
  return `${response.status}${message}`
}

function filesOf(listing: unknown): readonly RemoteFile[] {
  if (!Array.isArray(listing)) throw new ServiceCallError('The listing is not an array')
  return listing
    .filter(isRecord)
    .flatMap(({ ObjectName: name, Checksum: checksum }) =>
      typeof name === 'string' && typeof checksum === 'string' ? [{ name, sha256: checksum }] : [],
    )
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
