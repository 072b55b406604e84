import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { account } from '../../support/service-process.ts'
import { have, rclone } from '../../support/needs.ts'
import { bucket, openS3World, type S3World } from '../../support/s3-world.ts'

const isAble = have('rclone', rclone)
const undo = new AsyncDisposableStack()
let s3: S3World
const environment = { RCLONE_CONFIG: 'rclone.conf' }

beforeAll(async () => {
  if (!isAble) return
  s3 = undo.use(await openS3World())
  await Bun.write(join(s3.directory, 'rclone.conf'), await s3.paste('s3-rclone.md', 'ini'))
}, 60_000)
afterAll(() => undo.disposeAsync())

async function writeIcons(directory: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const path = join(s3.directory, directory, String(number % 40), `icon ${number}.svg`)
    await Bun.write(path, `<svg xmlns="http://www.w3.org/2000/svg" id="icon-${number}"/>`)
  }
}

test.skipIf(!isAble)(
  'rclone does what its page says',
  async () => {
    await writeIcons('icons', 80)
    const page = await s3.paste('s3-rclone.md', 'sh')

    const listed = await s3.run(['bash', '-c', `set -eu\n${page}`], environment)

    expect(listed.trim().split('\n')).toHaveLength(40)
    await s3.run(['diff', '-r', 'icons', 'copy'])
  },
  60_000,
)

test.skipIf(!isAble)(
  'rclone syncs 5,000 files and finds each the same',
  async () => {
    await writeIcons('many', 5000)
    const sync = ['rclone', 'sync', '--transfers', '32', './many', `sedge:${bucket}/many`]
    await s3.run(sync, environment)
    await s3.run(['rclone', 'check', './many', `sedge:${bucket}/many`], environment)

    const { Pagination } = await s3.world.client.listAssets({ project: bucket, category: 'many' })
    expect(Pagination.TotalItems).toBe(5000)
  },
  180_000,
)

test.skipIf(!isAble)(
  'rclone copies a file in parts into a preview, and back',
  async () => {
    const made = await fetch(`${s3.url}/api/core/zones/${bucket}/previews`, {
      method: 'POST',
      headers: account,
      body: '{"Name":"spring"}',
    })
    expect(made.status).toBe(201)
    const large = crypto.getRandomValues(Buffer.alloc(65_536)).toString('base64').repeat(140)
    await Bun.write(join(s3.directory, 'large/large.bin'), large)
    const preview = `sedge:spring--${bucket}/large`
    const inParts = ['--s3-upload-cutoff', '5M', '--s3-chunk-size', '5M']

    await s3.run(['rclone', 'copy', ...inParts, './large', preview], environment)

    await s3.run(['rclone', 'copy', preview, './back'], environment)
    await s3.run(['diff', '-r', 'large', 'back'])
    expect(await s3.run(['rclone', 'lsf', `sedge:${bucket}/large`], environment)).toBe('')
  },
  60_000,
)
