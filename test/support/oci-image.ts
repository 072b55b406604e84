import { expect } from 'bun:test'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { run } from '../../scripts/release/run.ts'

interface Descriptor {
  readonly mediaType: string
  readonly digest: string
  readonly size: number
}

export interface ImageConfig {
  readonly architecture: string
  readonly os: string
  readonly created: string
  readonly config: Readonly<{
    User: string
    Env: readonly string[]
    Entrypoint: readonly string[]
    Cmd: readonly string[]
    Labels: Readonly<Record<string, string>>
  }>
  readonly rootfs: { readonly diff_ids: readonly string[] }
}

interface UnpackedImage {
  readonly config: ImageConfig
  /** The root directory of a container that is started of it. */
  readonly root: string
}

/**
 * Unpacks the archive of an image below a directory that is there. Throws where something is not as OCI's image-spec
 * has it: a blob that has another hash or size than its name and its descriptor say, or a layer that unpacks to
 * something else.
 */
export async function unpackImage(archive: string, directory: string): Promise<UnpackedImage> {
  const [layout, root] = [join(directory, 'layout'), join(directory, 'root')]
  for (const each of [layout, root]) await mkdir(each)
  await run(['tar', '-xf', archive, '-C', layout])
  const json = async (path: string) => await Bun.file(join(layout, path)).json()
  if ((await json('oci-layout')).imageLayoutVersion !== '1.0.0') throw new Error('no OCI layout')
  const { manifests } = (await json('index.json')) as { manifests: readonly Descriptor[] }
  const manifest = JSON.parse(String(await blob(layout, manifests[0], 'manifest.v1+json')))
  const config = JSON.parse(String(await blob(layout, manifest.config, 'config.v1+json')))
  for (const [index, layer] of (manifest.layers as readonly Descriptor[]).entries()) {
    const bytes = gunzipSync(await blob(layout, layer, 'layer.v1.tar+gzip'))
    if (`sha256:${sha256Of(bytes)}` !== config.rootfs.diff_ids[index])
      throw new Error(`layer ${index} unpacks to something else`)
    const tar = join(directory, 'layer.tar')
    await Bun.write(tar, bytes)
    await run(['tar', '-xpf', tar, '--numeric-owner', '--keep-directory-symlink', '-C', root])
  }
  const named = [manifests[0], manifest.config, ...manifest.layers].map(({ digest }) => digest)
  const there = (await readdir(join(layout, 'blobs/sha256'))).map((name) => `sha256:${name}`)
  if (!Bun.deepEquals(new Set(there), new Set(named))) throw new Error('blobs are left over')
  return { config, root }
}

/** As a container is: another root, processes of its own, no rights, and what `config` says. */
export function startContainer(
  { config: { config }, root }: UnpackedImage,
  environment: Readonly<Record<string, string>>,
): AsyncDisposable {
  const script = [
    'mount --bind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/tmp"',
    'exec chroot --userspec="$1" "$0" /usr/bin/env -i "${@:2}"',
  ].join('\n')
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const command = [...config.Env, ...variables, ...config.Entrypoint, ...config.Cmd]
  const isolated = ['unshare', '--mount', '--pid', '--fork']
  const child = Bun.spawn([...isolated, 'bash', '-c', script, root, config.User, ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    async [Symbol.asyncDispose]() {
      // Whoever makes the namespace passes no signal on; the first process in it is asked, as an engine does.
      const children = `/proc/${child.pid}/task/${child.pid}/children`
      const first = Number((await Bun.file(children).text()).trim())
      if (child.exitCode === null && first > 0) process.kill(first, 'SIGTERM')
      expect(await child.exited).toBe(0)
    },
  }
}

/** What its own linker says it does not find for programs and libraries in it. */
export async function missingLibraries(root: string): Promise<readonly string[]> {
  const missing: string[] = []
  for await (const path of new Bun.Glob('usr/**').scan({ cwd: root, onlyFiles: true })) {
    const start = await Bun.file(join(root, path)).slice(0, 4).bytes()
    if (Buffer.from(start).toString('latin1') !== '\u007FELF') continue
    const linker = ['/lib64/ld-linux-x86-64.so.2', '--list', `/${path}`]
    // What is linked to nothing ends it with 1.
    const { stdout } = Bun.spawnSync(['chroot', root, ...linker])
    const said = stdout.toString().split('\n')
    missing.push(...said.filter((line) => line.includes('not found')).map((line) => path + line))
  }
  return missing
}

async function blob(layout: string, of: Descriptor | undefined, kind: string): Promise<Buffer> {
  if (of?.mediaType !== `application/vnd.oci.image.${kind}`) throw new Error(`no ${kind}`)
  const path = join(layout, 'blobs', of.digest.replace(':', '/'))
  const bytes = Buffer.from(await Bun.file(path).arrayBuffer())
  if (bytes.length !== of.size || `sha256:${sha256Of(bytes)}` !== of.digest)
    throw new Error(`the ${kind} is not what its descriptor says`)
  return bytes
}

const sha256Of = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
