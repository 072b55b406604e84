import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { have, restic } from '../../support/needs.ts'
import { openS3World } from '../../support/s3-world.ts'

const isAble = have('restic', restic)

test.skipIf(!isAble)(
  'restic backs up, checks, restores and prunes as its page says',
  async () => {
    await using s3 = await openS3World()
    const letter = crypto.getRandomValues(Buffer.alloc(65_536))
    for (const name of ['letter.txt', 'of last year/letter.txt', 'photo.bin'])
      await Bun.write(join(s3.directory, 'documents', name), [letter, name])
    const page = await s3.paste('s3-restic.md', 'sh')

    const said = await s3.run(['bash', '-c', `set -eu\n${page}`])

    expect(said).toContain('no errors were found')
    const restored = new Bun.Glob('restored/**/photo.bin').scanSync(s3.directory)
    const [found = ''] = [...restored]
    await s3.run(['diff', '-r', 'documents', join(found, '..')])
  },
  120_000,
)
