import { afterAll, beforeAll, expect, test } from 'bun:test'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { clientPackages, clientsOfNode, go, have } from '../../support/needs.ts'
import { bucket, openS3World, type S3World } from '../../support/s3-world.ts'

const hasNode = have('the AWS SDK for JavaScript', clientsOfNode)
const hasGo = have('the AWS SDK for Go', go)
const clients = join(import.meta.dir, '../../../tools/clients')
const undo = new AsyncDisposableStack()
let s3: S3World

beforeAll(async () => {
  if (hasNode || hasGo) s3 = undo.use(await openS3World())
}, 60_000)
afterAll(() => undo.disposeAsync())

test.skipIf(!hasNode)(
  'the AWS SDK for JavaScript does what its page says',
  async () => {
    await symlink(clientPackages, join(s3.directory, 'node_modules'))
    await Bun.write(join(s3.directory, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await Bun.write(join(s3.directory, 'page.mjs'), await s3.paste('s3-aws-sdk-js.md', 'js'))

    const [facts, url = ''] = (await s3.run(['node', 'page.mjs'])).trim().split('\n')

    expect(facts).toMatch(/^"[0-9a-f]{32}" [0-9a-f]{40} 41$/u)
    expect(await (await fetch(url)).text()).toStartWith('<svg')
  },
  60_000,
)

test.skipIf(!hasNode)(
  'the AWS SDK for JavaScript works with its default checksums and streams',
  async () => {
    for (const [prefix, AWS_ENDPOINT_URL] of [
      ['host', s3.endpoint],
      ['path', s3.endpointBelow],
    ] as const) {
      const words = ['node', join(clients, 'aws-sdk.mjs'), bucket, prefix]
      expect(await s3.run(words, { AWS_ENDPOINT_URL })).toBe('all is well\n')
    }
  },
  120_000,
)

test.skipIf(!hasGo)(
  'the AWS SDK for Go works with its default checksums and streams',
  async () => {
    const program = join(s3.directory, 'go-client')
    await s3.run(['go', 'build', '-C', join(clients, 'go'), '-o', program, '.'])
    expect(await s3.run([program, bucket])).toBe('all is well\n')
  },
  180_000,
)
