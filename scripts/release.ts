/**
 * `npm run release -- --out dist/release --key ~/.ssh/release`: what a release is made of, from the commit that is
 * checked out (decisions/068): the service as one file for this system, an image with it (decisions/073), the source,
 * the list of all packages in them, the SHA-256 of each, and a signature of those. Whoever does it again from the same
 * commit gets the same bytes.
 */
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { debianPackages } from './release/image/debian-packages.ts'
import { makeImage } from './release/image/image.ts'
import { packageList } from './release/package-list.ts'
import { run } from './release/run.ts'
import { signSums, sumsOf } from './release/sums.ts'

const root = join(import.meta.dir, '..')
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist', 'release') },
    /** A private key of OpenSSH. Without it nothing is signed. */
    key: { type: 'string' },
    /** Where Debian's packages cannot be had. */
    'without-image': { type: 'boolean', default: false },
  },
})
const out = resolve(values.out)
const changed = await run(['git', '-C', root, 'status', '--porcelain'])
if (changed !== '') throw new Error(`A release is of a commit; this is not in it:\n${changed}`)
const { name, version } = await Bun.file(join(root, 'package.json')).json()
const commitId = (await run(['git', '-C', root, 'rev-parse', 'HEAD'])).trim()
const committedAt = (await run(['git', '-C', root, 'log', '-1', '--format=%cI'])).trim()
const committed = { name, version, commitId, committedAt: new Date(committedAt) }
const base = `${name}-${version}`
const platform = `${process.platform}-${process.arch}`
const executable = join(out, `${base}-${platform}`)
const hasImage = platform === 'linux-x64' && !values['without-image']

/** Each makes one file. An executable names what it is made of as it is called from where it is made. */
const steps: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  [`${base}-${platform}`]: (path) =>
    run([process.execPath, join('scripts', 'executable.ts'), path], root),
  ...(hasImage && {
    [`${base}-image-linux-amd64.tar`]: (path) => makeImage({ executable, ...committed }, path),
  }),
  [`${base}-source.tar`]: (path) =>
    run(['git', '-C', root, 'archive', `--prefix=${base}/`, `--output=${path}`, commitId]),
  [`${base}.cdx.json`]: async (path) =>
    await Bun.write(
      path,
      await packageList({ root, debian: hasImage ? debianPackages : [], ...committed }),
    ),
}

await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })
for (const [file, make] of Object.entries(steps)) await make(join(out, file))
const sums = join(out, 'SHA256SUMS')
await Bun.write(sums, await sumsOf(out, Object.keys(steps)))
if (values.key !== undefined) await signSums(sums, resolve(values.key))
console.log(`${base} of ${commitId} in ${out}${values.key === undefined ? ', not signed' : ''}`)
console.log((await Bun.file(sums).text()).trimEnd())
