import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import sharp from 'sharp'

import { run } from '../../scripts/release/run.ts'
import { freePort } from '../support/free-port.ts'
import { gitCheckout, have, imageParts, type Need, otherRoot, sshKeygen } from '../support/needs.ts'
import { missingLibraries, startContainer, unpackImage } from '../support/oci-image.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(600_000)

const root = join(import.meta.dir, '..', '..')
const free = await statfs(tmpdir())
const room: Need = {
  what: 'room for two releases, 4 GB in the directory for temporary files',
  howToGetIt: 'TMPDIR=<a directory of a larger disk>',
  isThere: () => free.bavail * free.bsize > 4 * 2 ** 30,
}
const canRelease = have('what a release is made of', gitCheckout, sshKeygen, room)
const hasImage =
  canRelease &&
  `${process.platform}-${process.arch}` === 'linux-x64' &&
  have('the image of a release', imageParts)
const canStartImage = hasImage && have('the image of a release as it is started', otherRoot)

/** A clone of what is committed, in a folder of its own name, with the packages that are installed here. */
async function cloneAt(path: string): Promise<string> {
  await run(['git', 'clone', '--quiet', root, path])
  const packages = [join(root, 'node_modules'), join(path, 'node_modules')]
  await run(['cp', '-al', ...packages]).catch(() => run(['cp', '-a', ...packages]))
  return path
}

const release = (clone: string, out: string, key: string) =>
  run(
    [process.execPath, join(clone, 'scripts', 'release.ts'), '--out', out, '--key', key].concat(
      hasImage ? [] : ['--without-image'],
    ),
  )

test.if(canRelease)(
  'a release that is made twice, in two places, is the same to the byte, and its signature holds for nothing else',
  async () => {
    await using directory = await temporaryDirectory()
    const at = (name: string) => join(directory.path, name)
    await run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'releases', '-f', at('key')])
    const clones = [await cloneAt(at('one')), await cloneAt(at('another-place'))]
    for (const [index, clone] of clones.entries())
      await release(clone, at(`out-${index}`), at('key'))

    const files = (await readdir(at('out-0'))).toSorted()
    const platform = `${process.platform}-${process.arch}`
    const { version } = await Bun.file(join(root, 'package.json')).json()
    const base = `sedge-${version}`
    expect(files).toEqual([
      'SHA256SUMS',
      'SHA256SUMS.sig',
      ...(hasImage ? [`${base}-image-linux-amd64.tar`] : []),
      `${base}-${platform}`,
      `${base}-source.tar`,
      `${base}.cdx.json`,
    ])
    for (const file of files)
      expect([file, await hashOf(at(`out-1/${file}`))]).toEqual([
        file,
        await hashOf(at(`out-0/${file}`)),
      ])

    await Bun.write(at('signers'), `releases ${await Bun.file(at('key.pub')).text()}`)
    const signature = at('out-0/SHA256SUMS.sig')
    const by = ['-f', at('signers'), '-I', 'releases', '-n', 'sedge-release', '-s', signature]
    const verify = (sums: string) =>
      Bun.spawnSync(['ssh-keygen', '-Y', 'verify', ...by], { stdin: Buffer.from(sums) }).exitCode
    const sums = await Bun.file(at('out-0/SHA256SUMS')).text()
    expect(verify(sums)).toBe(0)
    expect(verify(sums.replace(/^./u, (first) => (first === '0' ? '1' : '0')))).not.toBe(0)
    expect(sums).toContain(`${await hashOf(at(`out-0/${base}-source.tar`))}  ${base}-source.tar\n`)

    const list = await Bun.file(at(`out-0/${base}.cdx.json`)).json()
    expect(list).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'sedge' } },
    })
    const names = list.components.map((component: { readonly name: string }) => component.name)
    expect(names).toContain('sharp')
    expect(names).not.toContain('fast-check')
    if (hasImage) expect(names).toEqual(expect.arrayContaining(['git', 'libc6', 'busybox-static']))
    expect(await run([at(`out-0/${base}-${platform}`), '--version'])).toContain(version)

    if (!hasImage) return
    const commitId = (await run(['git', '-C', root, 'rev-parse', 'HEAD'])).trim()
    await isImageOf(at(`out-0/${base}-image-linux-amd64.tar`), directory.path, {
      version,
      commitId,
    })
  },
)

/** Unpacks it, which compares every hash that it names, and starts it where that is allowed. */
async function isImageOf(
  archive: string,
  directory: string,
  { version, commitId }: { readonly version: string; readonly commitId: string },
): Promise<void> {
  const image = await unpackImage(archive, directory)
  expect(image.config).toMatchObject({ architecture: 'amd64', os: 'linux' })
  expect(image.config.config.Labels).toMatchObject({
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commitId,
  })
  const { mode } = await stat(join(image.root, 'data'))
  expect(mode & 0o777).toBe(0o700)
  expect(await readdir(join(image.root, 'var/lib/dpkg/status.d'))).toContain('git')
  expect(existsSync(join(image.root, 'usr/share/doc/git/copyright'))).toBe(true)
  if (!canStartImage) return

  const owners = await Promise.all(
    ['', 'data', 'usr'].map(async (path) => (await stat(join(image.root, path))).uid),
  )
  expect(owners).toEqual([0, 1000, 0])
  expect(await missingLibraries(image.root)).toEqual([])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment = { ...testKeys, HOST: '127.0.0.1', PORT: String(port) }
  await using _container = startContainer(image, environment)
  await until(() => isHealthy(url))
  const json = { 'Content-Type': 'application/json' }
  const zone = { method: 'POST', headers: { ...account, ...json }, body: '{"Name":"acme"}' }
  expect((await fetch(`${url}/api/core/zones`, zone)).status).toBe(201)
  const png = await sharp({
    create: { width: 64, height: 64, channels: 3, background: { r: 200, g: 30, b: 30 } },
  })
    .png()
    .toBuffer()
  const put = { method: 'PUT', headers: access, body: new Uint8Array(png) }
  expect((await fetch(`${url}/api/storage/acme/v1/a.png`, put)).status).toBe(201)
  const small = await fetch(`${url}/api/transform?url=/acme/v1/a.png&w=32&format=webp`)
  expect(small.headers.get('content-type')).toBe('image/webp')
  expect((await sharp(await small.bytes()).metadata()).width).toBe(32)
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )

async function hashOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk)
  return hash.digest('hex')
}
