import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { boto3, clientPython, have } from '../../support/needs.ts'
import { bucket, openS3World } from '../../support/s3-world.ts'

const isAble = have('boto3', boto3)
const program = join(import.meta.dir, '../../../tools/clients/with_boto3.py')

test.skipIf(!isAble)(
  'boto3 does what its page says, and everything else with its default checksums',
  async () => {
    await using s3 = await openS3World()
    await Bun.write(join(s3.directory, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')

    const said = await s3.run([clientPython, '-c', await s3.paste('s3-boto3.md', 'python')])
    const lines = said.trim().split('\n')
    expect(lines.slice(0, 2)).toEqual(['logos/logo.svg 41', 'hello'])
    expect(await (await fetch(lines[2] ?? '')).text()).toBe('hello')

    for (const AWS_ENDPOINT_URL of [s3.endpoint, s3.endpointBelow]) {
      const environment = { AWS_ENDPOINT_URL, AWS_DEFAULT_REGION: 'auto' }
      expect(await s3.run([clientPython, program, bucket], environment)).toBe('all is well\n')
    }
  },
  120_000,
)
