import { join } from 'node:path'

import { freePort } from '../../test/support/free-port.ts'
import { until } from '../../test/support/until.ts'
import { cpuMsOfTree } from '../process-usage.ts'
import { openBareLibvips } from './peers.ts'

export const formats = ['webp', 'avif', 'jpeg'] as const
export type Format = (typeof formats)[number]

/** One of the mix: a file of the directory of photographs, to a width. */
export interface MixRequest {
  readonly name: string
  readonly width: number
  readonly format: Format
}

/** Whoever makes images of the mix. */
export interface MixPeer extends AsyncDisposable {
  readonly name: string
  /** What all of its processes have used so far. */
  cpuMs(): number
  ask(request: MixRequest): Promise<Uint8Array>
}

/** imgproxy with its defaults, reading the same directory. */
export async function openImgproxy(program: string, directory: string): Promise<MixPeer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = Bun.spawn([program], {
    env: { IMGPROXY_BIND: `127.0.0.1:${port}`, IMGPROXY_LOCAL_FILESYSTEM_ROOT: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await until(async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok === true)
  return {
    name: 'imgproxy',
    cpuMs: () => cpuMsOfTree(child.pid),
    async ask({ name, width, format }) {
      const source = `local:///${encodeURIComponent(name)}`
      const response = await fetch(`${url}/insecure/rs:fit:${width}:0/plain/${source}@${format}`)
      if (!response.ok) throw new Error(`imgproxy answered ${response.status} for ${name}`)
      return await response.bytes()
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

/**
 * sharp's libvips with imgproxy's settings and nothing around it: no HTTP, no check of what is asked. It
 * takes less than imgproxy linked to the same library, so a ratio to it is the stricter one.
 */
export async function openStandIn(directory: string, work: string): Promise<MixPeer> {
  const bare = await openBareLibvips(work)
  if (bare === undefined) throw new Error('There is nobody to compare with')
  const output = join(work, 'bare-answer')
  let cpuMs = 0
  let turn: Promise<unknown> = Promise.resolve()
  const run = async ({ name, ...rest }: MixRequest) => {
    const outcome = await bare.run({ ...rest, path: join(directory, name), output })
    if (outcome.sizeBytes === 0) throw new Error(`libvips made nothing of ${name}`)
    cpuMs += outcome.cpuMs
    return await Bun.file(output).bytes()
  }
  return {
    name: bare.name,
    cpuMs: () => cpuMs,
    ask(request) {
      const answer = turn.then(() => run(request))
      turn = answer.catch(() => {})
      return answer
    },
    [Symbol.asyncDispose]: () => bare[Symbol.asyncDispose](),
  }
}
