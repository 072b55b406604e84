import { readdir, readFile } from 'node:fs/promises'

import { until } from './until.ts'

/** The command lines of all processes that have `text` in theirs. */
export async function processesWith(text: string): Promise<readonly string[]> {
  const lines = process.platform === 'linux' ? await fromProc() : await fromPs()
  return lines.filter((line) => line.includes(text))
}

/** Resolves once there is none of them. */
export const untilNoneWith = (text: string): Promise<void> =>
  until(async () => (await processesWith(text)).length === 0, `${text} is still running`)

async function fromProc(): Promise<readonly string[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))
  const read = (name: string) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
  return (await Promise.all(names.map(read))).map((line) => line.replaceAll('\0', ' '))
}

const fromPs = async (): Promise<readonly string[]> =>
  (await new Response(Bun.spawn(['ps', '-A', '-ww', '-o', 'args=']).stdout).text()).split('\n')
