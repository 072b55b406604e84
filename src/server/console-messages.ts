import { join } from 'node:path'

import { dashboardUrlOf } from '../config/url-settings.ts'
import type { Config } from '../config/config.ts'
import { createOneTimeSecrets, type OneTimeSecrets } from '../lib/secrets/one-time-secrets.ts'
import type { Secret } from '../lib/secrets/secret.ts'
import type { Listening } from './listen.ts'

type Announced = Pick<Listening, 'url' | 'plainUrl'>

/** What the process says on standard output of itself. */
export interface Talk {
  /** What lets whoever sits at the terminal in; `undefined` where nobody is known to sit there. */
  readonly signInLinks?: OneTimeSecrets
  /** Given a line for each response. */
  readonly onAnswered?: (line: string) => void
  /** Once, of the keys that the first start made. */
  keysMade(keys: ReadonlyMap<string, Secret>): void
  ready(announced: Announced): void
  stopping(): void
}

interface Options {
  readonly config: Pick<Config, 'baseUrl' | 'dashboardHost' | 'dataDirectory' | 'clusterAddress'>
  readonly isTerminal: boolean
  readonly write: (text: string) => void
  readonly now: () => Date
}

export const createTalk = (options: Options): Talk =>
  options.isTerminal ? talkToPerson(options) : talkToProgram(options.write)

/** Lines that programs read: others may come, these stay as they are. */
const talkToProgram = (write: Options['write']): Talk => ({
  keysMade(keys) {
    const lines = [...keys].map(([name, secret]) => `  ${name}=${secret.reveal()}`)
    write(
      `Generated keys, shown this once and kept in keys.json in the data directory:\n\n${lines.join('\n')}\n\n`,
    )
  },
  ready: ({ url, plainUrl }) => {
    write(`Sedge is ready at ${url.href}\n`)
    if (plainUrl !== undefined) write(`Plain HTTP is answered at ${plainUrl.href}\n`)
  },
  stopping: () => write('Sedge is stopping\n'),
})

/** How long the link is good. */
const linkLifeMs = 600_000

/** No key is written: a terminal can be read over a shoulder, and scrolled back. */
function talkToPerson({ config, write, now }: Options): Talk {
  const keysFile = join(config.dataDirectory, 'keys.json')
  // The other nodes of a cluster would not know of a link.
  const isAlone = config.clusterAddress === undefined
  const signInLinks = createOneTimeSecrets({ lifeMs: linkLifeMs, now })
  return {
    ...(isAlone && { signInLinks }),
    onAnswered: write,
    keysMade: () => write(`Keys were made, and are kept in ${keysFile}\n`),
    ready(announced) {
      talkToProgram(write).ready(announced)
      const dashboard = `${dashboardUrlOf(config) ?? localUrlOf(announced.url)}/dashboard/`
      const link = [
        ['Sign in', `${dashboard}login?once=${signInLinks.issue()}`],
        ['', 'good once, within ten minutes; do not pass it on'],
      ]
      const rows = [
        ['Dashboard', dashboard],
        ...(isAlone ? link : []),
        ['Password', 'npx sedge keys show DASHBOARD_PASSWORD'],
        ['Data', config.dataDirectory],
        ['Stop', 'Ctrl-C'],
      ]
      write(`${rows.map(([what = '', text = '']) => `  ${what.padEnd(9)}  ${text}\n`).join('')}\n`)
    },
    stopping: () => write('\nSedge is stopping; Ctrl-C again ends it at once.\n'),
  }
}

/** Browsers have passkeys at host names alone, and this machine has one. */
function localUrlOf({ protocol, hostname, port }: URL): string {
  const isHere = /^(?:127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/u.test(hostname)
  return `${protocol}//${isHere ? 'localhost' : hostname}${port === '' ? '' : `:${port}`}`
}
