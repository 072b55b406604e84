import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { hasAllPackages } from '../../scripts/release/image/debian-packages.ts'

/** Something a test needs that npm does not bring. */
export interface Need {
  readonly what: string
  readonly howToGetIt: string
  isThere(): boolean
}

export const strace: Need = {
  what: 'strace',
  howToGetIt: 'apt-get install strace',
  isThere: () => spawnSync('strace', ['-V']).status === 0,
}

export const noNetwork: Need = {
  what: 'a namespace without a network',
  howToGetIt: 'Linux with unprivileged user namespaces, or root',
  isThere: () => Bun.spawnSync(['unshare', '-rn', 'true']).exitCode === 0,
}

export const mountableTmpfs: Need = {
  what: 'the right to mount a tmpfs',
  howToGetIt: 'run as root on Linux',
  isThere: () =>
    process.getuid?.() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', '/mnt']).status === 0 &&
    spawnSync('umount', ['/mnt']).status === 0,
}

/** A program that answers to `flag`, as programs do that only say their version. */
const program = (name: string, flag: string, howToGetIt: string): Need => ({
  what: name,
  howToGetIt,
  isThere: () => spawnSync(name, [flag]).status === 0,
})

export const curl = program('curl', '--version', 'apt-get install curl')
export const ffmpeg = program('ffmpeg', '-version', 'apt-get install ffmpeg')
export const openssl = program('openssl', 'version', 'apt-get install openssl')
export const exiftool = program('exiftool', '-ver', 'apt-get install libimage-exiftool-perl')
export const pdftoppm = program('pdftoppm', '-v', 'apt-get install poppler-utils')
export const vips = program('vips', '--version', 'apt-get install libvips-tools')
export const python = program('python3', '--version', 'apt-get install python3')
export const go = program('go', 'version', 'apt-get install golang-go')
export const zsh = program('zsh', '--version', 'apt-get install zsh')
export const fish = program('fish', '--version', 'apt-get install fish')

/** It has no flag that only says its version. */
export const sshKeygen: Need = {
  what: 'ssh-keygen',
  howToGetIt: 'apt-get install openssh-client',
  isThere: () => Bun.which('ssh-keygen') !== null,
}

/** What an image of a release is made of. */
export const imageParts: Need = {
  what: "Debian's packages of the image, and dpkg-deb",
  howToGetIt: 'npx bun scripts/image-packages.ts --fetch, on Debian',
  isThere: () => hasAllPackages() && spawnSync('dpkg-deb', ['--version']).status === 0,
}

/** Another root directory, with processes and mounts of its own. */
export const otherRoot: Need = {
  what: 'the right to change the root directory',
  howToGetIt: 'run as root on Linux',
  isThere: () =>
    process.getuid?.() === 0 &&
    spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0,
}

/** Assembles WebAssembly from its text. */
export const assembler: Need = {
  what: 'wabt',
  howToGetIt: 'npm ci --prefix tools',
  isThere: () => existsSync(new URL('../../tools/node_modules/wabt', import.meta.url)),
}

/** What is committed can be cloned from where the tests run. */
export const gitCheckout: Need = {
  what: 'a checkout of its repository',
  howToGetIt: 'git clone',
  isThere: () => spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dir }).status === 0,
}

/** Where the newest PostgreSQL server of the machine has its programs. */
export function postgresBinaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  if (!existsSync(root)) return undefined
  const versions = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))
  return versions
    .map((version) => join(root, version, 'bin'))
    .find((directory) => existsSync(join(directory, 'initdb')))
}

export const postgres: Need = {
  what: 'a PostgreSQL server',
  howToGetIt: 'apt-get install postgresql',
  isThere: () => postgresBinaries() !== undefined,
}

export const s3Server = program(
  'versitygw',
  '--version',
  'go install github.com/versity/versitygw/cmd/versitygw@v1.8.0',
)

export const kustomize = program(
  'kustomize',
  'version',
  'go install sigs.k8s.io/kustomize/kustomize/v5@v5.6.0',
)
export const helm = program('helm', 'version', 'go install helm.sh/helm/v3/cmd/helm@v3.19.5')
/** Reads manifests as Kubernetes does, and what no version has is an error. */
export const manifestCheck = program(
  'manifest-check',
  '--version',
  'go build -C tools/clients/manifest-check, as .ci/run does',
)
/** Takes OTLP and prints what it got. */
export const otelCollector = program(
  'otel-collector',
  '--version',
  'go build -C tools/clients/otel-collector, as .ci/run does',
)
export const promtool = program('promtool', '--version', 'apt-get install prometheus')

/** Whether all is there; says in one line what is skipped where it is not. */
export function have(test: string, ...needs: readonly Need[]): boolean {
  const missing = needs.filter((need) => !need.isThere())
  for (const { what, howToGetIt } of missing)
    console.log(`skipped: ${test}: needs ${what} (${howToGetIt})`)
  return missing.length === 0
}

/** The newest AWS CLI of the second line; Python may have brought one of the first. */
export const awsCommand = (): string | undefined =>
  ['aws', '/usr/bin/aws', '/usr/local/bin/aws'].find((path) => {
    const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    return status === 0 && stdout.startsWith('aws-cli/2')
  })

export const awsCli: Need = {
  what: 'the AWS CLI 2',
  howToGetIt: 'apt-get install awscli',
  isThere: () => awsCommand() !== undefined,
}
export const rclone = program('rclone', 'version', 'apt-get install rclone')
export const restic = program('restic', 'version', 'apt-get install restic')

const cacheDirectory = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')

/** Python with what `tools/clients/requirements.txt` says, outside of the repository. */
export const clientPython = join(cacheDirectory, 'sedge/python-clients/bin/python')
/** Git of other releases of Debian, the older and the newer, with what it was built for. */
export const debianGits = ['bullseye', 'sid'].map((release) => {
  const directory = join(cacheDirectory, `sedge/git-${release}`)
  const need: Need = {
    what: `git of Debian's ${release}`,
    howToGetIt: `.ci/git-of-debian ${release} ${directory}`,
    isThere: () => spawnSync(join(directory, 'git'), ['--version']).status === 0,
  }
  return { release, directory, need }
})

export const boto3: Need = {
  what: 'boto3',
  howToGetIt: 'python3 -m venv and pip install -r tools/clients/requirements.txt, as .ci/run does',
  isThere: () => spawnSync(clientPython, ['-c', 'import boto3']).status === 0,
}

export const pygit2: Need = {
  what: 'pygit2',
  howToGetIt: boto3.howToGetIt,
  isThere: () => spawnSync(clientPython, ['-c', 'import pygit2']).status === 0,
}

/** Where the packages are that only clients in tests need, with a lock of their own. */
export const clientPackages = join(import.meta.dir, '../../tools/clients/node_modules')
export const clientsOfNode: Need = {
  what: 'the packages of tools/clients',
  howToGetIt: 'npm ci --prefix tools/clients',
  isThere: () => existsSync(join(clientPackages, '@aws-sdk')),
}

export const isomorphicGit: Need = {
  what: 'isomorphic-git',
  howToGetIt: clientsOfNode.howToGetIt,
  isThere: () => existsSync(join(clientPackages, 'isomorphic-git')),
}

/** Decoders of video in an npm package, which the service loads where it is installed. */
export const webCodecsModule = join(clientPackages, '@napi-rs/webcodecs/index.js')
export const webCodecs: Need = {
  what: '@napi-rs/webcodecs',
  howToGetIt: clientsOfNode.howToGetIt,
  isThere: () => existsSync(webCodecsModule),
}

export const libheif: Need = {
  what: 'libheif-js',
  howToGetIt: clientsOfNode.howToGetIt,
  isThere: () => existsSync(join(clientPackages, 'libheif-js')),
}

export const s3fs: Need = {
  what: 's3fs and the right to mount with it',
  howToGetIt: 'apt-get install s3fs, and run as root with /dev/fuse',
  isThere: () =>
    process.getuid?.() === 0 &&
    existsSync('/dev/fuse') &&
    spawnSync('s3fs', ['--version']).status === 0,
}

export const gitLfs = program('git-lfs', 'version', 'apt-get install git-lfs')
