import { join } from 'node:path'

import type { S3Credentials } from '../../src/adapters/s3/sign-request.ts'
import { codeBlocks } from './code-blocks.ts'
import { s3KeyFrom } from './s3-client.ts'
import { startService, temporaryDirectory } from './service-process.ts'
import { type World, worldOf } from './world.ts'

/** A service with a zone, and a key of S3 for it, as programs of others are given them. */
export interface S3World extends AsyncDisposable {
  /** Where S3 has a host name of its own. */
  readonly endpoint: string
  /** Where it is below a path. */
  readonly endpointBelow: string
  /** Everything else of the service. */
  readonly url: string
  readonly world: World
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Where programs run, and what they write; it goes with the world. */
  readonly directory: string
  /**
   * The blocks of one language on a page of the documentation, one after another, with this service and this
   * key in the place of those of the page.
   */
  paste(page: string, language: string): Promise<string>
  /** What a program prints; fails with all it said where it did not end well. */
  run(words: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>
}

/** The zone of the pages. */
export const bucket = 'acme'
const pageEndpoint = 'https://s3.example.org'

export async function openS3World(): Promise<S3World> {
  await using undo = new AsyncDisposableStack()
  const directory = undo.use(await temporaryDirectory()).path
  const service = undo.use(
    await startService({
      dataDirectory: join(directory, 'data'),
      environment: { S3_HOST: 'localhost' },
    }),
  )
  const url = service.url.replace('localhost', '127.0.0.1')
  const world = worldOf({ url })
  await world.zone(bucket)
  const key = await s3KeyFrom((path, init) => fetch(`${url}${path}`, init), { zones: [bucket] })
  const work = join(directory, 'work')
  await Bun.write(join(work, '.keep'), '')
  const endpoint = url.replace('127.0.0.1', 'localhost')
  const pasted = (text: string): string =>
    text
      .replaceAll(pageEndpoint, endpoint)
      .replaceAll('<AccessKeyId>', key.accessKeyId)
      .replaceAll('<SecretAccessKey>', key.secretAccessKey)
  const held = undo.move()
  return {
    endpoint,
    endpointBelow: `${url}/s3`,
    url,
    world,
    accessKeyId: key.accessKeyId,
    secretAccessKey: key.secretAccessKey,
    directory: work,
    paste: async (page, language) => {
      const blocks = await codeBlocks(`docs/${page}`)
      const wanted = blocks.filter((block) => block.language === language)
      return pasted(wanted.map(({ code }) => code).join('\n'))
    },
    run: (words, environment = {}) =>
      outputOf(words, work, { ...credentials(key, endpoint), ...environment }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** What the tools of AWS take from the environment. */
const credentials = (key: S3Credentials, endpoint: string): Readonly<Record<string, string>> => ({
  AWS_ACCESS_KEY_ID: key.accessKeyId,
  AWS_SECRET_ACCESS_KEY: key.secretAccessKey,
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_ENDPOINT_URL: endpoint,
  AWS_EC2_METADATA_DISABLED: 'true',
  // Of the SDK's own future, on standard error.
  NODE_NO_WARNINGS: '1',
})

async function outputOf(
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = Bun.spawn([...words], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: cwd,
      // Go builds with what the machine has fetched and built before.
      GOPATH: process.env['GOPATH'] ?? join(process.env['HOME'] ?? cwd, 'go'),
      GOCACHE: process.env['GOCACHE'] ?? join(process.env['HOME'] ?? cwd, '.cache', 'go-build'),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, errors, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (exitCode !== 0)
    throw new Error(`${words.join(' ')} ended with ${exitCode}:\n${out}\n${errors}`)
  return out
}
