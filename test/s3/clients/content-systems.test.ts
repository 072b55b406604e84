import { afterAll, beforeAll, expect, test } from 'bun:test'
import { symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

import sharp from 'sharp'

import { clientPackages, clientsOfNode, have } from '../../support/needs.ts'
import { bucket, openS3World, type S3World } from '../../support/s3-world.ts'

const isAble = have('storage adapters of content systems', clientsOfNode)
const clients = join(import.meta.dir, '../../../tools/clients')
const undo = new AsyncDisposableStack()
let s3: S3World
let photo: string

beforeAll(async () => {
  if (!isAble) return
  s3 = undo.use(await openS3World())
  await symlink(clientPackages, join(s3.directory, 'node_modules'))
  photo = join(s3.directory, 'photo.png')
  const colour = { r: 20, g: 120, b: 200 }
  await sharp({ create: { width: 640, height: 480, channels: 3, background: colour } })
    .png()
    .toFile(photo)
}, 60_000)
afterAll(() => undo.disposeAsync())

const key = () => ({
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
})

const runClient = async (words: readonly string[], environment: Readonly<Record<string, string>>) =>
  (await s3.run(['node', join(clients, words[0] ?? ''), ...words.slice(1)], environment)).trim()

/** What was stored is an image to the edge, in other formats than it was stored in. */
async function expectAvif(path: string): Promise<void> {
  const url = encodeURIComponent(`/${path}`)
  const response = await fetch(`${s3.url}/api/transform?url=${url}&w=160&format=avif`)
  expect(response.headers.get('content-type')).toBe('image/avif')
  const { data, info } = await sharp(await response.bytes())
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([160, 120])
  expect(Math.abs((data[2] ?? 0) - 200)).toBeLessThan(8)
}

test.skipIf(!isAble)(
  'what Directus stores with the settings of its page is delivered as AVIF',
  async () => {
    const lines = (await s3.paste('s3-directus.md', 'ini')).trim().split('\n')
    const settings = Object.fromEntries(
      lines.map((line): [string, string] => {
        const [name = '', value = ''] = line.split('=')
        return [name, value]
      }),
    )
    const stored = await runClient(['directus.mjs', photo], settings)

    await expectAvif(`${bucket}/v1/directus/${stored}`)
  },
  60_000,
)

test.skipIf(!isAble)(
  'what Strapi stores with the settings of its page is delivered as AVIF',
  async () => {
    const plugins = join(s3.directory, 'plugins.cjs')
    await Bun.write(plugins, await s3.paste('s3-strapi.md', 'js'))

    const url = await runClient(['strapi.mjs', plugins, photo], key())

    expect(url).toStartWith(`https://assets.example.org/${bucket}/v1/strapi/photo_`)
    await expectAvif(`${bucket}/v1/strapi/${basename(url)}`)
  },
  60_000,
)

test.skipIf(!isAble)(
  'what Payload stores with the settings of its page is delivered as AVIF',
  async () => {
    const storage = join(s3.directory, 'storage.mjs')
    await Bun.write(storage, await s3.paste('s3-payload.md', 'js'))

    const said = await runClient(['payload.mjs', storage, photo, s3.directory], key())

    expect(said).toEndWith('stored as photo.png')
    await expectAvif(`${bucket}/v1/media/photo.png`)
  },
  60_000,
)

test.skipIf(!isAble)(
  'what WordPress stores with the settings of its page is delivered as AVIF',
  async () => {
    const settings = join(s3.directory, 'sedge.php')
    await Bun.write(settings, await s3.paste('s3-wordpress.md', 'php'))

    const url = await runClient(['wordpress.mjs', settings, photo], {})

    expect(url).toBe(`https://assets.example.org/${bucket}/v1/wordpress/uploads/2026/11/photo.png`)
    await expectAvif(`${bucket}/v1/wordpress/uploads/2026/11/photo.png`)
  },
  60_000,
)
