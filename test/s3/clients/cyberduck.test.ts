import { expect, test } from 'bun:test'

import { codeBlocks } from '../../support/code-blocks.ts'
import { have, python } from '../../support/needs.ts'

const isAble = have('the profile of Cyberduck', python)
const program = 'import json,plistlib,sys; print(json.dumps(plistlib.load(sys.stdin.buffer)))'

test.skipIf(!isAble)(
  'the profile for Cyberduck is a property list of a protocol of S3',
  async () => {
    const profile = (await codeBlocks('docs/s3-cyberduck.md')).find(
      ({ language }) => language === 'xml',
    )
    const { stdout } = Bun.spawnSync(['python3', '-c', program], {
      stdin: Buffer.from(profile?.code ?? ''),
    })

    expect(JSON.parse(stdout.toString())).toMatchObject({
      Protocol: 's3',
      'Default Hostname': 's3.example.org',
      Properties: ['s3.bucket.virtualhost.disable=true'],
    })
  },
)
