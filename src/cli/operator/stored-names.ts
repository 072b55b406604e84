import type { Client } from '../../client/types.ts'
import { cleanPath } from '../files/remote-files.ts'
import { exitCodes } from '../support/command.ts'
import { serviceCommand } from '../support/service-command.ts'
import { printable } from '../support/table.ts'

/** Longer than this nobody waits for a completion. */
const patienceMs = 2_000
const mostNames = 200

/** What completion asks: zones, or what is in the directory that a path has come to. Says nothing of failures. */
export const storedNamesCommand = serviceCommand({
  name: 'stored-names',
  summary: 'names of zones and files, for completion',
  isInternal: true,
  usage: 'sedge stored-names [--zones] [<beginning>]',
  options: { zones: { type: 'boolean', default: false } },
  plan:
    ({ values, positionals: [beginning = ''] }) =>
    async ({ client, terminal }) => {
      const names = await namesFor(client, values.zones ? beginning : cleanPath(beginning)).catch(
        () => [],
      )
      const found = values.zones ? names.map((name) => name.replace(/\/$/u, '')) : names
      for (const name of found.slice(0, mostNames)) terminal.out.write(`${printable(name)}\n`)
      return exitCodes.ok
    },
})

async function namesFor(client: Client, beginning: string): Promise<readonly string[]> {
  const directory = beginning.slice(0, beginning.lastIndexOf('/') + 1)
  const signal = AbortSignal.timeout(patienceMs)
  const entries = await client.listDirectory(directory, { signal })
  return entries
    .map(
      ({ ObjectName: name, IsDirectory: isDirectory }) =>
        `${directory}${name}${isDirectory ? '/' : ''}`,
    )
    .filter((name) => name.startsWith(beginning))
}
