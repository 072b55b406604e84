import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { run } from '../../scripts/release/run.ts'
import { gitCheckout, have, type Need, sshKeygen } from '../support/needs.ts'
import { temporaryDirectory } from '../support/service-process.ts'

setDefaultTimeout(300_000)

const root = join(import.meta.dir, '..', '..')
const free = await statfs(tmpdir())
const room: Need = {
  what: 'room for two releases, 3 GB in the directory for temporary files',
  howToGetIt: 'TMPDIR=<a directory of a larger disk>',
  isThere: () => free.bavail * free.bsize > 3 * 2 ** 30,
}
const canRelease = have('what a release is made of', gitCheckout, sshKeygen, room)

/** A clone of what is committed, in a folder of its own name, with the packages that are installed here. */
async function cloneAt(path: string): Promise<string> {
  await run(['git', 'clone', '--quiet', root, path])
  const packages = [join(root, 'node_modules'), join(path, 'node_modules')]
  await run(['cp', '-al', ...packages]).catch(() => run(['cp', '-a', ...packages]))
  return path
}

const release = (clone: string, out: string, key: string) =>
  run([process.execPath, join(clone, 'scripts', 'release.ts'), '--out', out, '--key', key])

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
    expect(await run([at(`out-0/${base}-${platform}`), '--version'])).toContain(version)
  },
)

async function hashOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk)
  return hash.digest('hex')
}
