import { spawn } from 'node:child_process'

import { UsageError } from '../support/command.ts'
import { cleanPath } from '../files/remote-files.ts'
import {
  commonExitCodes,
  commonUsage,
  serviceCommand,
  type Session,
} from '../support/service-command.ts'

export const openCommand = serviceCommand({
  name: 'open',
  summary: 'open the dashboard, or an asset, in the browser',
  usage: `sedge open            the dashboard
sedge open <path>     the details of an asset in it, e.g. acme/v1/logos/mark.svg
sedge open docs       the documentation

Opens it in the browser that BROWSER names, else in that of the system, and prints its
address; with --print it only prints it.

  --print              open nothing
${commonUsage}

${commonExitCodes}`,
  options: { print: { type: 'boolean', default: false } },
  plan({ values, positionals: [what, ...rest] }) {
    if (rest.length > 0) throw new UsageError('Name one asset')
    const path = placeOf(what)
    return async ({ connection, print, terminal }: Session) => {
      const url = new URL(path, connection.url).href
      print({ url }, () => `${url}\n`)
      if (!values.print) await openInBrowser(url, terminal.environment)
    }
  },
})

function placeOf(what: string | undefined): string {
  if (what === undefined) return '/dashboard/'
  if (what === 'docs') return '/docs'
  return `/dashboard/assets?asset=${encodeURIComponent(cleanPath(what))}`
}

/** Whoever cannot start one (a server, a container) has the address. */
async function openInBrowser(
  url: string,
  { BROWSER: named }: Session['terminal']['environment'],
): Promise<void> {
  const [program, ...words] = named === undefined || named === '' ? opener() : [named]
  if (program === undefined) return
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true })
  await new Promise<void>((done) => {
    child.once('error', () => done())
    child.once('spawn', () => done())
  })
  child.unref()
}

const opener = (): readonly string[] => openers[process.platform] ?? ['xdg-open']

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // The empty word is the title of the window.
  win32: ['cmd', '/c', 'start', ''],
}
