import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type S3Location, parseS3Location } from '../../src/lib/net/s3-location.ts'
import { freePort } from './free-port.ts'

/** A real S3 server (versitygw). */
export interface BlobServer extends AsyncDisposable {
  readonly port: number
  readonly credentials: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly sessionToken: undefined
  }
  /** Makes an empty bucket and answers its URL; `port` may be that of something in between. */
  createBucket(): Promise<{ url(port?: number): string; location(port?: number): S3Location }>
  /** Where a bucket's objects lie as files. */
  readonly files: string
}

const credentials = {
  accessKeyId: 'test-access',
  secretAccessKey: 'test-secret-0123456789',
  sessionToken: undefined,
}

/** A server of the test's own; it dies with the test. */
export async function startS3(): Promise<BlobServer & { readonly pid: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-s3-'))
  const [files, sidecar] = [join(directory, 'files'), join(directory, 'sidecar')]
  for (const each of [files, sidecar]) await mkdir(each)
  const port = await freePort()
  const server = Bun.spawn(
    [
      ['setpriv', '--pdeathsig', 'KILL', 'versitygw', '--port', `127.0.0.1:${port}`],
      ['--quiet', 'posix', '--sidecar', sidecar, files],
    ].flat(),
    {
      env: {
        PATH: process.env['PATH'] ?? '',
        ROOT_ACCESS_KEY: credentials.accessKeyId,
        ROOT_SECRET_KEY: credentials.secretAccessKey,
      },
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  )
  while (!(await responses(port))) {
    if (server.exitCode !== null) throw new Error('the S3 server did not start')
    await Bun.sleep(20)
  }
  return {
    ...blobServerAt({ port, files }),
    pid: server.pid,
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL')
      await server.exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A server that somebody else started, and will stop. */
export const blobServerAt = ({ port, files }: Pick<BlobServer, 'port' | 'files'>): BlobServer => ({
  port,
  files,
  credentials,
  async createBucket() {
    const name = `bucket-${crypto.randomUUID()}`
    await mkdir(join(files, name))
    const url = (through = port) =>
      `s3://${name}/sedge?endpoint=http://127.0.0.1:${through}&region=us-east-1`
    return { url, location: (through) => parseS3Location(url(through)) }
  },
  [Symbol.asyncDispose]: () => Promise.resolve(),
})

const responses = async (port: number): Promise<boolean> =>
  await fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )
