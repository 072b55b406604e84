import { expect, test } from 'bun:test'
import { dirname, join } from 'node:path'

import { awsCli, awsCommand, have } from '../../support/needs.ts'
import { bucket, openS3World } from '../../support/s3-world.ts'

const isAble = have('the AWS CLI', awsCli)
const path = dirname(awsCommand() ?? '')

test.skipIf(!isAble)(
  'the AWS CLI does what its page says',
  async () => {
    await using s3 = await openS3World()
    const large = crypto.getRandomValues(Buffer.alloc(65_536)).toString('base64').repeat(120)
    await Bun.write(join(s3.directory, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    for (const name of ['a', 'b/c', 'ä b+']) {
      await Bun.write(join(s3.directory, 'icons', `${name}.svg`), `<svg id="${name}"/>`)
    }
    await Bun.write(join(s3.directory, 'icons/large.bin'), large)
    const page = await s3.paste('s3-aws-cli.md', 'sh')
    const script = `set -eu; shopt -s expand_aliases; PATH=${path}:$PATH\n${page}`

    const out = await s3.run(['bash', '-c', script])

    expect(out).toContain('logo.svg')
    await s3.run(['diff', '-r', 'icons', 'copy'])
    const { Data: left } = await s3.world.client.listAssets({ project: bucket })
    expect(left.map(({ path: at }) => at)).toEqual([`${bucket}/v1/logos/mark.svg`])
    const [url] = /http\S+X-Amz-Signature\S+/u.exec(out) ?? []
    // Moved since it was signed.
    expect((await fetch(url ?? '')).status).toBe(404)
  },
  120_000,
)
