import { existsSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Need } from './needs.ts'

const root = join(import.meta.dir, '../..')

/** A directory that a framework's own starter made, with what the documentation says to add. */
export interface Starter {
  readonly directory: string
  /** Runs a program of the starter to its end; throws what it said where it fails. */
  run(command: readonly string[], environment: Readonly<Record<string, string>>): Promise<void>
}

const directoryOf = (name: string): string => join(root, 'tools/starters', name)

export const starterNeed = (name: string): Need => ({
  what: `the packages of tools/starters/${name}`,
  howToGetIt: `npm ci --prefix tools/starters/${name}`,
  isThere: () => existsSync(join(directoryOf(name), 'node_modules')),
})

/** What starters send home, and the network that they look for. */
const quiet = {
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  CI: 'true',
}

/** Lays the files of a section of `docs/frameworks.md` into a starter, and our package among its own. */
export async function prepareStarter(name: string, section: string): Promise<Starter> {
  const directory = directoryOf(name)
  for (const [path, text] of await filesOf(section)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await Bun.write(join(directory, path), text)
  }
  const installed = join(directory, 'node_modules/sedge')
  await rm(installed, { recursive: true, force: true })
  for (const path of ['package.json', 'client'])
    await cp(join(root, path), join(installed, path), { recursive: true })
  return {
    directory,
    async run(command, environment) {
      const env = { ...process.env, ...quiet, NODE_ENV: 'production', ...environment }
      const child = Bun.spawn([...command], { cwd: directory, env, stdout: 'pipe', stderr: 'pipe' })
      const said = await Promise.all(
        [child.stdout, child.stderr].map((stream) => new Response(stream).text()),
      )
      if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${said.join('\n')}`)
    },
  }
}

/** The code blocks below a heading that begin with the name of a file, in a comment. */
async function filesOf(section: string): Promise<readonly (readonly [string, string])[]> {
  const markdown = await Bun.file(join(root, 'docs/frameworks.md')).text()
  const [, text = ''] = markdown.split(`\n## ${section}\n`)
  const [below = ''] = text.split('\n## ')
  return [...below.matchAll(/^```\w+\n([^]*?)^```$/gmu)].flatMap(([, code = '']) => {
    const named = /^(?:---\n)?(?:\/\/|<!--) ([\w./-]+)(?: -->)?$/mu.exec(code)?.[1]
    return named === undefined ? [] : [[named, code] as const]
  })
}
