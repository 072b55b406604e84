import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { run } from '../run.ts'
import { type Layer, makeLayer } from './layers.ts'
import { makeRootFileSystem } from './root-file-system.ts'

interface Release {
  /** The service as one file, for Linux on x64. */
  readonly executable: string
  readonly name: string
  readonly version: string
  readonly commitId: string
  readonly committedAt: Date
}

/**
 * An image of OCI as one archive, for `docker load`, `podman load` and `skopeo copy oci-archive:`: Debian as far as the
 * service needs it, the executable, and a directory for its data. Needs dpkg-deb and GNU tar.
 */
export async function makeImage(release: Release, to: string): Promise<void> {
  const work = await mkdtemp(join(dirname(to), '.image-'))
  try {
    const layout = join(work, 'layout')
    await mkdir(join(layout, 'blobs', 'sha256'), { recursive: true })
    const layers = await makeLayers(release, work)
    for (const { path, sha256 } of layers) await rename(path, blobPath(layout, sha256))
    await describe(release, layout, layers)
    const order = ['--sort=name', '--mtime=@0', '--format=gnu', '--numeric-owner']
    const owners = ['--owner=0', '--group=0', '--mode=u=rwX,go=rX']
    const names = ['blobs', 'index.json', 'manifest.json', 'oci-layout']
    await run(['tar', '--create', `--file=${to}`, ...order, ...owners, '-C', layout, ...names])
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function makeLayers({ executable }: Release, work: string): Promise<readonly Layer[]> {
  const folders = { system: 0, program: 0, data: 1000 }
  for (const name of Object.keys(folders)) {
    await mkdir(join(work, name))
    await chmod(join(work, name), 0o755)
  }
  await makeRootFileSystem(join(work, 'system'))
  await mkdir(join(work, 'program/usr/local/bin'), { recursive: true })
  await copyFile(executable, join(work, 'program/usr/local/bin/sedge'))
  await run(['chmod', '-R', 'u=rwX,go=rX', join(work, 'program')])
  await mkdir(join(work, 'data/data'), { mode: 0o700 })
  const layers: Layer[] = []
  for (const [name, owner] of Object.entries(folders))
    layers.push(
      await makeLayer({ directory: join(work, name), owner, to: join(work, `${name}.gz`) }),
    )
  return layers
}

/** What a container is started as; `deploy/Dockerfile` says the same of a checkout. */
const started = {
  User: '1000:1000',
  ExposedPorts: { '8788/tcp': {} },
  Env: [
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'NODE_ENV=production',
    'HOST=0.0.0.0',
    'PORT=8788',
    'DATA_DIR=/data',
  ],
  Entrypoint: ['tini', '--', 'sedge'],
  Cmd: ['serve'],
  Volumes: { '/data': {} },
  WorkingDir: '/',
  StopSignal: 'SIGTERM',
  // A member of Docker's own, which others pass over. In nanoseconds.
  Healthcheck: {
    Test: ['CMD-SHELL', 'wget -q -O /dev/null "http://127.0.0.1:$PORT/api/health"'],
    Interval: 10e9,
    Timeout: 5e9,
    StartPeriod: 60e9,
  },
}

/** OCI image-spec 1.1: configuration, manifest, index; and `manifest.json` for a Docker older than 25. */
async function describe(
  { name, version, commitId, committedAt }: Release,
  layout: string,
  layers: readonly Layer[],
): Promise<void> {
  const created = committedAt.toISOString()
  const annotations = {
    'org.opencontainers.image.created': created,
    'org.opencontainers.image.revision': commitId,
    'org.opencontainers.image.title': name,
    'org.opencontainers.image.version': version,
  }
  const config = await addBlob(layout, {
    created,
    architecture: 'amd64',
    os: 'linux',
    config: { ...started, Labels: annotations },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => `sha256:${diffId}`) },
    history: layers.map(() => ({ created, created_by: 'npm run release' })),
  })
  const manifest = await addBlob(layout, {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
    layers: layers.map(({ sha256, sizeBytes }) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      digest: `sha256:${sha256}`,
      size: sizeBytes,
    })),
    annotations,
  })
  const reference = {
    'io.containerd.image.name': `docker.io/library/${name}:${version}`,
    'org.opencontainers.image.ref.name': version,
  }
  await writeJson(join(layout, 'oci-layout'), { imageLayoutVersion: '1.0.0' })
  await writeJson(join(layout, 'index.json'), {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        ...manifest,
        platform: { architecture: 'amd64', os: 'linux' },
        annotations: reference,
      },
    ],
  })
  await writeJson(join(layout, 'manifest.json'), [
    {
      Config: config.digest.replace('sha256:', 'blobs/sha256/'),
      RepoTags: [`${name}:${version}`],
      Layers: layers.map(({ sha256 }) => `blobs/sha256/${sha256}`),
    },
  ])
}

async function addBlob(layout: string, value: object) {
  const text = JSON.stringify(value)
  const sha256 = new Bun.CryptoHasher('sha256').update(text).digest('hex')
  await Bun.write(blobPath(layout, sha256), text)
  return { digest: `sha256:${sha256}`, size: Buffer.byteLength(text) }
}

const blobPath = (layout: string, sha256: string): string => join(layout, 'blobs', 'sha256', sha256)

const writeJson = async (path: string, value: object): Promise<number> =>
  await Bun.write(path, JSON.stringify(value))
