/**
 * `npx bun scripts/image-packages.ts`: writes down which packages of Debian the image of a release has, at their
 * newest versions. apt checks the signatures of the archive; whoever makes a release compares SHA-256 alone. Needs
 * apt, and the archive. With `--fetch` it writes nothing down and fetches those that are, so that a release needs no
 * network.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type DebianPackage, debianPackages, packageFile } from './release/image/debian-packages.ts'
import { run } from './release/run.ts'

const suite = 'bookworm'
/** What the service starts, what its executable is linked to, and what of its own one expects in a container. */
const wanted = [
  'base-files',
  'busybox-static',
  'ca-certificates',
  'git',
  'libstdc++6',
  'openssh-client',
  'tini',
]
/**
 * Needed by what is not in the image: scripts that install packages, git's scripts in Perl, `sftp`. No program that is
 * in it is linked to any of them; the test of the image looks.
 */
const leftOut =
  /^(adduser|debconf|dpkg|git-man|libacl1|libaudit.*|libbsd0|libbz2.*|libcap-ng0|libcrypt1|libdb5.3|libedit2|liberror-perl|libgdbm.*|liblzma5|libmd0|libpam.*|libperl.*|libsasl2-modules-db|libsemanage.*|libsepol2|libtinfo6|mawk|openssl|passwd|perl.*|tar)$/u

if (process.argv.includes('--fetch')) for (const each of debianPackages) await packageFile(each)
else await choose()

async function choose(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-apt-'))
  const at = (name: string): string => join(directory, name)
  for (const name of ['lists/partial', 'archives/partial'])
    await mkdir(at(name), { recursive: true })
  await Bun.write(at('status'), '')
  const signed = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
  const sources = [
    `http://deb.debian.org/debian ${suite} main`,
    `http://deb.debian.org/debian ${suite}-updates main`,
    `http://deb.debian.org/debian-security ${suite}-security main`,
  ]
  await Bun.write(at('sources.list'), sources.map((each) => `deb ${signed} ${each}\n`).join(''))
  const options = [
    `Dir::Etc::SourceList=${at('sources.list')}`,
    'Dir::Etc::SourceParts=-',
    `Dir::State::Lists=${at('lists')}`,
    `Dir::State::Status=${at('status')}`,
    `Dir::Cache::Archives=${at('archives')}`,
    'Dir::Cache::PkgCache=',
    'Dir::Cache::SrcPkgCache=',
    'Acquire::Languages=none',
    'APT::Architecture=amd64',
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])

  await run(['apt-get', '-qq', ...options, 'update'])
  const install = ['install', '--simulate', '--no-install-recommends', ...wanted]
  const simulated = await run(['apt-get', ...options, ...install])
  const chosen = [...simulated.matchAll(/^Inst (\S+) \((\S+) /gmu)]
    .map(([, name = '', version = '']) => ({ name, version }))
    .filter(({ name }) => !leftOut.test(name))
  const packages: DebianPackage[] = []
  for (const { name, version } of chosen) {
    const said = await run(['apt-cache', ...options, 'show', `${name}=${version}`])
    const field = (key: string): string => new RegExp(`^${key}: (.*)$`, 'mu').exec(said)?.[1] ?? ''
    packages.push({
      name,
      version,
      architecture: field('Architecture'),
      path: field('Filename'),
      sizeBytes: Number(field('Size')),
      sha256: field('SHA256'),
    })
  }
  await rm(directory, { recursive: true })
  const list = {
    suite,
    chosenAt: new Date().toISOString(),
    packages: packages.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }
  await Bun.write(
    join(import.meta.dir, 'release', 'image', 'packages.json'),
    `${JSON.stringify(list, undefined, 2)}\n`,
  )
  console.log(`${packages.length} packages of Debian's ${suite}`)
}
